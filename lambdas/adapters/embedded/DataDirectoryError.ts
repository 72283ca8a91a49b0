/** The data directory cannot be used, for a reason that the user can correct. The message is one line and names the directory. */
export class DataDirectoryError extends Error {
  constructor(directory: string, why: string, options?: ErrorOptions) {
    super(`data directory ${directory} ${why}`, options);
    this.name = 'DataDirectoryError';
  }
}
