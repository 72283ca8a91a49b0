/** The data directory cannot be used, for a reason that its user can do something about. The message is one line and names the directory. */
export class DataDirectoryError extends Error {
  constructor(directory: string, why: string, options?: ErrorOptions) {
    super(`data directory ${directory} ${why}`, options);
    this.name = 'DataDirectoryError';
  }
}
