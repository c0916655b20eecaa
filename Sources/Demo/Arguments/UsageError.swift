/// Arguments that make no sense, in a sentence, and what to do about it.
struct UsageError: Error, Equatable {
  /// What is wrong; a sentence.
  let message: String
  /// What helps; a sentence.
  let hint: String

  /// An error whose hint is the help of `topic`.
  init(_ message: String, see topic: HelpTopic) {
    self.init(message, hint: "Try \"\(topic.command) --help\".")
  }

  init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}
