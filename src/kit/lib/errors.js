/** The reason why the kit cannot judge the list: the process exits with status 2. The message is for the user. */
export class CannotRun extends Error {}

/** A write that failed. Nobody knows whether it took effect, unless `rejected` is true. */
export class WriteFailed extends Error {
  constructor(message, rejected) {
    super(message)
    this.rejected = rejected
  }
}

/** No dialect describes the answer of the API. */
export class UnknownApi extends CannotRun {
  constructor(message, answer) {
    super(message)
    this.answer = answer
  }
}
