// CacheFaults kills N [FOLDER]      kills a writing process N times and checks the folder each time
// CacheFaults crowd SECONDS [FOLDER]  eight processes read, write and trim one folder
// CacheFaults full                  stores what does not fit
// CacheFaults write FOLDER SEED SECONDS LIMIT   what both start: prints a line if anything is wrong
import Foundation
import Pipeline

let arguments = Array(CommandLine.arguments.dropFirst())
let faults = CacheFaults()
switch arguments.first {
case "kills": faults.kill(times: arguments.count > 1 ? Int(arguments[1]) ?? 20 : 20)
case "crowd": faults.crowd(seconds: arguments.count > 1 ? Double(arguments[1]) ?? 5 : 5)
case "full": faults.full()
case "write" where arguments.count == 5:
  faults.write(
    folder: arguments[1], seed: UInt64(arguments[2]) ?? 1, seconds: Double(arguments[3]) ?? 1,
    limit: Int(arguments[4]) ?? 1 << 20)
default:
  print("usage: CacheFaults kills N | crowd SECONDS | full")
  exit(2)
}
if arguments[0] != "write" { print(faults.wrongs == 0 ? "ok" : "\(faults.wrongs) wrong") }
exit(faults.wrongs == 0 ? 0 : 1)
