import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../host/UsageError.ts';

type Context = Readonly<Record<string, unknown>>;

/**
 * Returns the context that `cdk deploy` would give the app in this directory: what its command line says, then `cdk.json`, then `cdk.context.json`, then the user's `~/.cdk.json`.
 * The first that has a key wins, as in the CDK's own `CdkAppMultiContext`. Throws a UsageError for a file that is not JSON.
 */
export async function readDeployContext(
  written: Readonly<Record<string, string>>,
  { directory = process.cwd(), home = homedir() } = {},
): Promise<Context> {
  const project = contextOf(await readJson(join(directory, 'cdk.json')));
  const kept = await readJson(join(directory, 'cdk.context.json'));
  const user = contextOf(await readJson(join(home, '.cdk.json')));
  return { ...user, ...kept, ...project, ...written };
}

function contextOf({ context = {} }: { readonly context?: unknown }): Context {
  return context as Context;
}

async function readJson(path: string): Promise<Context> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Context;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
