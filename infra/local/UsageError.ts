/** The program was asked for something that it cannot do; its message is one line for the user, and the exit code is 2. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.split('\n', 1)[0], options);
    this.name = 'UsageError';
  }
}
