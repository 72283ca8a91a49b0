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
  /** The token of a server that checks permissions. */
  readonly token?: string;
}

/**
 * Asks a running server to explain a key; resolves to its answer. Throws a UsageError if no server answers, or the server does not know the key.
 */
export async function runExplain({ key, server, token }: ExplainOptions): Promise<string> {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await ask(`${server.replace(/\/$/, '')}/debug/explain/${path}`, server, headers);
  const text = await response.text();
  if (!response.ok) throw new UsageError(text.trim());
  return text;
}

async function ask(url: string, server: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    return await fetch(url, { headers });
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
  return {
    key,
    ...(values.server === undefined ? serverOf(parseDataDir(values['data-dir'])) : { server: values.server }),
  };
}

function parseOptions(args: readonly string[]) {
  try {
    const options = { server: { type: 'string' }, 'data-dir': { type: 'string' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** What is read of a kubeconfig. */
interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly token?: string } }[];
}

/** Returns the server that the kubeconfig of this data directory names, and its token. On one machine every port speaks HTTP, so that its own certificate needs no trust. */
function serverOf(dataDir: string): Pick<ExplainOptions, 'server' | 'token'> {
  const path = join(dataDir, 'kubeconfig');
  try {
    const { clusters, users } = parse(readFileSync(path, 'utf8')) as Kubeconfig;
    const token = users[0]?.user.token;
    const server = (clusters[0]?.cluster.server ?? '').replace(/^https:/, 'http:');
    return { server, ...(token !== undefined && { token }) };
  } catch (cause) {
    throw new UsageError(`${path} names no server; name one by --server, or its data directory by --data-dir`, {
      cause,
    });
  }
}
