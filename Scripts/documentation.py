"""Checks the documentation of a module: every public declaration has some, every operator has an
example, and the examples compile and say what they give. Reads symbol graphs and sources.

  documentation.py coverage MODULE GRAPHS...      fails where a public declaration has no comment
  documentation.py examples MODULE SOURCES PRELUDE
      prints a program of the examples in SOURCES, which begins with PRELUDE
"""

import json
import pathlib
import re
import sys

# Members that stand for themselves, or are what a type needs to be a publisher or a subscriber.
WITHOUT_EXAMPLE = {"Output", "Failure", "subscribe", "connect", "send"}

# What a comment on an operator tells: how it fails, where it delivers, what cancel does.
ANSWERS = {
    "fails": r"[Ff]ail|error",
    "delivers": r"[Dd]eliver|scheduler|thread|where the|same publisher|at hand",
    "cancels": r"[Cc]ancel|same publisher",
}


def coverage(module, graphs):
    missing = []
    operators = {}
    count = 0
    for path in graphs:
        for symbol in json.loads(pathlib.Path(path).read_text())["symbols"]:
            if symbol["kind"]["identifier"] == "swift.extension" or "location" not in symbol:
                continue
            count += 1
            name = ".".join(symbol["pathComponents"])
            lines = symbol.get("docComment", {}).get("lines", [])
            text = "\n".join(line["text"] for line in lines).strip()
            if not text:
                place = symbol["location"]
                file = place["uri"].rsplit("/", 1)[-1]
                missing.append(f"{file}:{place['position']['line'] + 1}: {name}")
            if module == "Flow" and re.match(r"(Connectable)?Publisher\.", name):
                operator = symbol["pathComponents"][1].split("(")[0]
                operators[operator] = operators.get(operator, "") + text + "\n"
    for line in missing:
        print(f"{line} has no documentation", file=sys.stderr)
    bare = []
    for operator, text in sorted(operators.items()):
        if operator in WITHOUT_EXAMPLE:
            continue
        if "```swift" not in text:
            bare.append(f"{operator} has no example")
        for answer, words in ANSWERS.items():
            if not re.search(words, text):
                bare.append(f"{operator} does not tell how it {answer}")
    for line in bare:
        print(line, file=sys.stderr)
    if not count:
        print(f"{module}: no public declaration was found", file=sys.stderr)
    if missing or bare or not count:
        sys.exit(1)
    print(f"{module}: all of {count} public declarations are documented")


def blocks(sources):
    """Every block of Swift in a doc comment or an article, with its place."""
    for path in sorted(pathlib.Path(sources).rglob("*")):
        if path.suffix not in (".swift", ".md"):
            continue
        prefix = r"\s*///( |$)" if path.suffix == ".swift" else ""
        block = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not re.match(prefix, line):
                continue
            text = re.sub(prefix, "", line)
            if block is not None and text.strip() == "```":
                yield f"{path.name}:{number - len(block)}", block
                block = None
            elif block is not None:
                block.append(text)
            elif text.strip() == "```swift":
                block = []


def examples(module, sources, prelude):
    """One function for each block. What ends in `EXPRESSION  // VALUES` is run and compared, and
    so is each `#expect`."""
    program = []
    calls = []
    for index, (place, block) in enumerate(blocks(sources)):
        body = [line for line in block if not line.startswith(("import ", ".package(", ".product("))]
        result = re.match(r"(.*\S)  // (.+)$", body[-1]) if body else None
        start = next((i for i in reversed(range(len(body))) if re.match(r"[\w(\[\"#.]", body[i])), 0)
        head = body[start] if body else ""
        if result and not result.group(2).startswith("prints") and not re.match(r"(let|var|for|func|struct|\w+\.(send|advance|removeAll)|task)\b", head):
            calls.append(f"  try await example{index}()")
            body[-1] = result.group(1)
            said = json.dumps(result.group(2), ensure_ascii=False)
            body = (
                body[:start]
                + [f"await check({json.dumps(place)}, gives: {said},"]
                + body[start:]
                + [")"]
            )
        if any(line.startswith("#expect(") for line in body):
            calls.append(f"  try await example{index}()")
            body = [line.replace("#expect(", f"compare({json.dumps(place)}, ", 1) for line in body]
        program += [f"// {place}", f"func example{index}() async throws {{", *body, "}", ""]
    start = pathlib.Path(prelude).read_text()
    text = "\n".join(program)
    call = "\n".join(calls)
    print(
        f"""import Foundation

{start}
{text}
nonisolated(unsafe) var (checks, wrong) = (0, 0)

func compare(_ place: String, _ expected: String, _ actual: String) {{
  checks += 1
  if actual == expected {{ return }}
  wrong += 1
  print("\\(place) says \\(expected), but gives \\(actual)")
}}

func compare(_ place: String, _ holds: Bool) {{ compare(place, "true", "\\(holds)") }}

func check<P: Publisher>(_ place: String, gives expected: String, _ publisher: P) async {{
  var heard: [String] = []
  for await result in publisher.results {{
    switch result {{
    case .success(let value): heard.append("\\(value)")
    case .failure: heard.append("failure")
    }}
  }}
  let text = heard.joined(separator: ", ").filter {{ $0 != "\\"" }}
  compare(place, expected, text)
}}

func check<Value>(_ place: String, gives expected: String, _ value: Value) async {{
  compare(place, expected, "\\(value)")
}}

@main struct Examples {{
  static func main() async throws {{
{call}
    print("{module}: {len(list(blocks(sources)))} examples compile;", checks, "of them were run and compared")
    if wrong > 0 {{ exit(1) }}
  }}
}}
"""
    )


if __name__ == "__main__":
    command, module, *rest = sys.argv[1:]
    if command == "coverage":
        coverage(module, rest)
    else:
        examples(module, *rest)
