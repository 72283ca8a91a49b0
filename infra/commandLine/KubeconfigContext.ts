import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';

/** A context of a kubeconfig: its server, and how a client proves who it is. */
export interface KubeconfigContext {
  readonly name: string;
  /** The server's base URL. */
  readonly server: string;
  /** The certificates, in PEM, that verify the server. Absent: those of the machine. */
  readonly authority?: string;
  /** The server is trusted whatever its certificate. */
  readonly trustsAnyServer: boolean;
  readonly token?: string;
  /** The client's certificate and its key, in PEM. */
  readonly certificate?: string;
  readonly privateKey?: string;
  /** The user is known only to a program or a provider that kubectl asks. */
  readonly needsKubectl: boolean;
}

interface Named {
  readonly name?: string;
}

/** The fields of a kubeconfig that are read. Each may be absent in a file that somebody wrote. */
interface KubeconfigFile {
  readonly 'current-context'?: string;
  readonly contexts?: readonly (Named & { readonly context?: { readonly cluster?: string; readonly user?: string } })[];
  readonly clusters?: readonly (Named & { readonly cluster?: Fields })[];
  readonly users?: readonly (Named & { readonly user?: Fields })[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the kubeconfig's files as kubectl finds them: those of `KUBECONFIG`, or `~/.kube/config`. */
export function kubeconfigPaths(environment: NodeJS.ProcessEnv): readonly string[] {
  const named = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
}

/** Reads a context, or the current one, of these files as kubectl merges them: the first file that has a name or a value wins. Returns undefined if they name no such context with a server. Throws an Error for a file that is not YAML, or names a file that cannot be read. */
export function readKubeconfigContext(paths: readonly string[], wanted?: string): KubeconfigContext | undefined {
  const files = paths.flatMap(readKubeconfig);
  const name = wanted ?? files.map((file) => file['current-context']).find(Boolean);
  const context = find(files, ({ contexts }) => contexts, name)?.context;
  const cluster = find(files, ({ clusters }) => clusters, context?.cluster)?.cluster;
  const user = find(files, ({ users }) => users, context?.user)?.user ?? {};
  const server = textOf(cluster, 'server');
  if (name === undefined || cluster === undefined || server === undefined) return undefined;
  return {
    name,
    server: server.replace(/\/$/, ''),
    ...present('authority', pem(cluster, 'certificate-authority')),
    trustsAnyServer: cluster['insecure-skip-tls-verify'] === true,
    ...present('token', textOf(user, 'token') ?? fileOf(user, 'tokenFile')?.trim()),
    ...present('certificate', pem(user, 'client-certificate')),
    ...present('privateKey', pem(user, 'client-key')),
    needsKubectl: ['exec', 'auth-provider', 'username'].some((field) => user[field] !== undefined),
  };
}

/** Returns nothing for a file that does not exist, as kubectl skips it. The names of files in it are relative to its directory. */
function readKubeconfig(path: string): KubeconfigFile[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const file = (parse(text) ?? {}) as KubeconfigFile;
  const near = (fields: Fields | undefined): Fields => withPlaces(fields ?? {}, dirname(path));
  return [
    {
      ...file,
      clusters: (file.clusters ?? []).map((one) => ({ ...one, cluster: near(one.cluster) })),
      users: (file.users ?? []).map((one) => ({ ...one, user: near(one.user) })),
    },
  ];
}

const FILE_FIELDS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

function withPlaces(fields: Fields, directory: string): Fields {
  const placed = FILE_FIELDS.flatMap((field) => {
    const path = textOf(fields, field);
    return path === undefined ? [] : [[field, resolve(directory, path)]];
  });
  return { ...fields, ...Object.fromEntries(placed) };
}

function find<T extends Named>(
  files: readonly KubeconfigFile[],
  listOf: (file: KubeconfigFile) => readonly T[] | undefined,
  name: string | undefined,
): T | undefined {
  return files.flatMap((file) => listOf(file) ?? []).find((one) => one.name === name);
}

/** A certificate or key: the data of `FIELD-data` in base64, or else the file of `FIELD`. */
function pem(fields: Fields, field: string): string | undefined {
  const data = textOf(fields, `${field}-data`);
  return data === undefined ? fileOf(fields, field) : Buffer.from(data, 'base64').toString();
}

function fileOf(fields: Fields, field: string): string | undefined {
  const path = textOf(fields, field);
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}

function textOf(fields: Fields | undefined, field: string): string | undefined {
  const value = fields?.[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function present<Field extends string>(field: Field, value: string | undefined) {
  return (value === undefined ? {} : { [field]: value }) as { readonly [F in Field]?: string };
}
