import { readFileSync } from 'node:fs';
import { UsageError } from './UsageError.ts';

/** An object of a manifest. Only the fields that are needed to send it are checked; the server validates the rest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Characters of a manifest that a message quotes. */
const MAX_QUOTED = 80;

/** Returns the objects in a file of YAML or JSON documents; a List counts as its items. Rejects with a UsageError that names the file. */
export async function readManifests(filename: string): Promise<readonly Manifest[]> {
  return parseManifests(readFile(filename), filename);
}

/** Returns the objects in a text of YAML or JSON documents; a List counts as its items. Rejects with a UsageError that begins with `source`. */
export async function parseManifests(text: string, source: string): Promise<readonly Manifest[]> {
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text);
  const broken = documents.find(({ errors }) => errors.length > 0)?.errors[0];
  if (broken) throw new UsageError(`${source} is not YAML: ${broken.message}`, { cause: broken });
  const values = documents.map((document) => document.toJS() as unknown).filter((value) => value !== null);
  const manifests = values.flatMap(itemsOf);
  if (manifests.length === 0) throw new UsageError(`${source} holds no objects`);
  return manifests.map((value) => parseManifest(source, value));
}

function readFile(filename: string): string {
  try {
    return readFileSync(filename, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the manifest cannot be read: ${why}`, { cause: error });
  }
}

function itemsOf(value: unknown): unknown[] {
  const { kind, items } = Object(value) as { kind?: unknown; items?: unknown };
  return kind === 'List' && Array.isArray(items) ? items : [value];
}

/** Checks that the value has an apiVersion, a kind and a name. Throws a UsageError if it has not. */
export function parseManifest(source: string, value: unknown): Manifest {
  if (typeof value === 'string') throw new UsageError(noObject(source, value));
  const { apiVersion, kind, metadata } = Object(value) as { apiVersion?: unknown; kind?: unknown; metadata?: unknown };
  const { name } = Object(metadata) as { name?: unknown };
  for (const [field, text] of Object.entries({ apiVersion, kind, 'metadata.name': name })) {
    if (typeof text !== 'string' || text === '') throw new UsageError(`${source}: an object has no ${field}`);
  }
  return value as Manifest;
}

/** YAML takes any words for a text, also the name of a file. */
function noObject(source: string, text: string): string {
  const isFilename = /\.(?:ya?ml|json)$/.test(text);
  const advice = isFilename ? '; what stands in a file must be read from it first' : '';
  return `${source} is ${JSON.stringify(text.slice(0, MAX_QUOTED))}, which is no object in YAML or JSON${advice}`;
}
