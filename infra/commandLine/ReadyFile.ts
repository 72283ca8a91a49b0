import { rmSync } from 'node:fs';
import { UsageError } from '../host/UsageError.ts';
import { writeWholeFile } from '../host/writeWholeFile.ts';

/** What the file of `--ready-file` says, as JSON. */
export interface Readiness {
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  /** The path of the kubeconfig. */
  readonly kubeconfig: string;
  /** The process to end. */
  readonly pid: number;
}

/** The file by which any program can wait for the server: it exists while the server answers and the manifests of the command line are applied. */
export class ReadyFile {
  readonly #path: string | undefined;

  /** Without a path, nothing is written. A file of an earlier server is deleted. Throws a UsageError if it cannot be. */
  constructor(path: string | undefined) {
    this.#path = path;
    this.remove();
  }

  /** Throws a UsageError if the file cannot be written. */
  write(readiness: Readiness): void {
    if (this.#path !== undefined) writeWholeFile('--ready-file', this.#path, `${JSON.stringify(readiness)}\n`);
  }

  remove(): void {
    if (this.#path === undefined) return;
    try {
      rmSync(this.#path, { force: true });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new UsageError(`--ready-file cannot be deleted: ${why}`, { cause: error });
    }
  }
}
