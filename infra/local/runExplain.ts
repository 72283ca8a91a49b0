import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { parseDataDir } from './parseDataDir.ts';
import { UsageError } from './UsageError.ts';

export interface ExplainOptions {
  /** `deployment/default/web` */
  readonly key: string;
  /** The server's base URL. */
  readonly server: string;
}

/**
 * Asks a running server to explain a key; resolves to its answer. Throws a UsageError if no server answers, or the server does not know the key.
 */
export async function runExplain({ key, server }: ExplainOptions): Promise<string> {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const response = await ask(`${server.replace(/\/$/, '')}/debug/explain/${path}`, server);
  const text = await response.text();
  if (!response.ok) throw new UsageError(text.trim());
  return text;
}

async function ask(url: string, server: string): Promise<Response> {
  try {
    return await fetch(url);
  } catch (cause) {
    throw new UsageError(`no server answers at ${server}`, { cause });
  }
}

/** Parses the arguments after `explain`: `KEY [--server URL | --data-dir DIR]`. Throws a UsageError for anything else. */
export function parseExplainOptions(args: readonly string[]): ExplainOptions {
  const { values, positionals } = parseOptions(args);
  const [key, ...more] = positionals;
  if (key === undefined || more.length > 0)
    throw new UsageError('explain takes one key, such as deployment/default/web');
  return { key, server: values.server ?? serverOf(parseDataDir(values['data-dir'])) };
}

function parseOptions(args: readonly string[]) {
  try {
    const options = { server: { type: 'string' }, 'data-dir': { type: 'string' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Returns the server named in the kubeconfig of this data directory. */
function serverOf(dataDir: string): string {
  const path = join(dataDir, 'kubeconfig');
  try {
    const { clusters } = parse(readFileSync(path, 'utf8')) as { clusters: { cluster: { server: string } }[] };
    return clusters[0]?.cluster.server ?? '';
  } catch (cause) {
    throw new UsageError(`${path} names no server; name one by --server, or its data directory by --data-dir`, {
      cause,
    });
  }
}
