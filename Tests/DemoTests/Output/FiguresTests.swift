import Testing

@testable import Demo

struct FiguresTests {
  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (38_249, "38.2 kB"), (999_949, "999.9 kB"),
    (999_950, "1.0 MB"), (12_345_678, "12.3 MB"),
  ])
  func `amounts of bytes are short`(_ count: Int, _ text: String) {
    #expect(Figures.bytes(count) == text)
  }

  @Test(arguments: [
    (Duration.microseconds(210), "0.21 ms"), (.microseconds(8_120), "8.1 ms"),
    (.milliseconds(812), "812 ms"), (.milliseconds(3_440), "3.4 s"), (.zero, "0.00 ms"),
  ])
  func `times are short`(_ time: Duration, _ text: String) {
    #expect(Figures.time(time) == text)
  }

  @Test func `a stage that did not run has no time`() {
    #expect(Figures.time(nil) == "–")
  }

  @Test(arguments: [
    ("short", 9, "short"), ("http://host/photo.jpg", 13, "http…hoto.jpg"), ("abc", 1, "…"),
    ("abc", 0, "abc"),
  ])
  func `what is too long loses its middle`(_ text: String, _ width: Int, _ shortened: String) {
    #expect(Figures.shortened(text, to: width) == shortened)
  }

  @Test func `one is not many`() {
    #expect(Figures.count(1, "load") == "1 load")
    #expect(Figures.count(0, "load") == "0 loads")
  }
}

struct TextTableTests {
  @Test func `columns are as wide as their widest cell`() {
    var table = TextTable([("NAME", .left), ("N", .right), ("END", .left)])
    table.add(["a", "1", "x"])
    table.add(["long name", "1000", ""])
    #expect(
      table.text == """
        NAME          N  END
        a             1  x
        long name  1000

        """)
  }

  @Test func `a table that is too wide shortens its first column, down to its title`() {
    var table = TextTable([("NAME", .left), ("N", .right)], width: 9)
    table.add(["a long name", "100"])
    #expect(table.text == "NAME    N\na…me  100\n")
    var narrow = TextTable([("NAME", .left), ("N", .right)], width: 3)
    narrow.add(["abcdefgh", "100"])
    #expect(narrow.text == "NAME    N\na…gh  100\n")
  }

  @Test func `a table without rows is its heading`() {
    #expect(TextTable([("A", .left), ("B", .right)]).text == "A  B\n")
  }
}

struct OutputNamesTests {
  @Test(arguments: [
    ("http://host/dir/photo.jpg?size=2", "photo.png"), ("/a/b/c.tar.gif", "c.tar.png"),
    ("data:image/png;base64,AA", "data.png"), ("http://host/", "host.png"),
    ("photo", "photo.png"), ("", "image.png"), ("/x/../..", "-.png"), ("a b$c.png", "a-b-c.png"),
  ])
  func `a file is named for what was loaded`(_ source: String, _ name: String) {
    var names = OutputNames()
    #expect(names.name(for: source) == name)
  }

  @Test func `no name is given twice`() {
    var names = OutputNames()
    #expect(
      ["a.jpg", "b/a.png", "a", "a-2.gif"].map { names.name(for: $0) } == [
        "a.png", "a-2.png", "a-3.png", "a-2-2.png",
      ])
  }
}
