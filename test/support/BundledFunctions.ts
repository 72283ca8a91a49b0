import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFunction } from '../../infra/cdk/bundleFunction.ts';
import type { FunctionName } from '../../infra/topology.ts';

/** Node's own `import`, which loads bundles unchanged; the test runner's would transform them. */
const NODE_IMPORT = 'data:text/javascript,export default (url) => import(url)';

/** The functions as the stack bundles them, loaded into this process, whose environment they read when they are loaded. */
export class BundledFunctions {
  readonly #directory: string;
  #count = 0;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async open(): Promise<BundledFunctions> {
    return new BundledFunctions(await mkdtemp(join(tmpdir(), 'driftless-bundles-')));
  }

  /** Bundles and loads a fresh copy of one function; rejects with the error that it throws while it is loaded. */
  async load<Handler>(name: FunctionName): Promise<Handler> {
    this.#count += 1;
    const directory = join(this.#directory, `${name}-${this.#count}`);
    bundleFunction(name, directory);
    const { default: nodeImport } = (await import(NODE_IMPORT)) as {
      readonly default: (url: string) => Promise<{ readonly handler: Handler }>;
    };
    return (await nodeImport(pathToFileURL(join(directory, 'index.mjs')).href)).handler;
  }

  async close(): Promise<void> {
    await rm(this.#directory, { recursive: true });
  }
}
