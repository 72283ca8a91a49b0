const TIME = /\b20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;
const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const AGE_COLUMNS = new Set(['Age', 'Last Seen', 'First Seen']);

type Json = Readonly<Record<string, unknown>>;

/**
 * Takes out of answers what varies from run to run. It remembers the names that the server made and the versions that each object went through, so that
 * `<Rv1>`, `<Rv2>`, … still tell whether an object has changed. One for each scenario.
 */
export class AnswerNormalizer {
  readonly #namespace: string;
  readonly #madeNames = new Map<string, string>();
  readonly #versions = new Map<string, string[]>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  normalize(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((each) => this.normalize(each));
    if (!isObject(value)) return value;
    return Array.isArray(value['columnDefinitions']) ? this.#table(value) : this.#object(value);
  }

  #text(value: string): string {
    let text = value.replaceAll(this.#namespace, '<ns>');
    for (const [name, standsFor] of this.#madeNames) text = text.replaceAll(name, standsFor);
    return text
      .replace(TIME, (_, fraction?: string) => (fraction?.length === 7 ? '<MicroTime>' : '<Time>'))
      .replace(UID, '<Uid>')
      .replace(/(resource version: )\d+( \()\d+(\))/g, '$1<Rv>$2<Rv>$3')
      .replace(/(Invalid value: )"\{.*?\}": /s, '$1<Object>: ')
      .replace(/(current: )\d+/g, '$1<Rv>');
  }

  #object(value: Json): Json {
    const members = Object.entries(value).map(([key, each]) => this.#member(key, each));
    return Object.fromEntries(members);
  }

  #member(key: string, value: unknown): [string, unknown] {
    if (key === 'metadata' && isObject(value)) return [key, this.#metadata(value)];
    if (key === 'clusterIP' && value !== '' && value !== 'None') return [key, '<Ip>'];
    if (key === 'clusterIPs' && Array.isArray(value)) return [key, value.map((ip) => (ip === 'None' ? ip : '<Ip>'))];
    if (key === 'nodePort' && Number(value) >= 30_000) return [key, '<Port>'];
    const normalized = this.normalize(value);
    return key === 'causes' && Array.isArray(normalized)
      ? [key, withConflictsInOrder(normalized)]
      : [this.#text(key), normalized];
  }

  #metadata(value: Json): Json {
    const { name, generateName, uid, resourceVersion, managedFields } = value;
    if (typeof generateName === 'string' && typeof name === 'string' && name.startsWith(generateName)) {
      this.#madeNames.set(name, `${generateName.replaceAll(this.#namespace, '<ns>')}<Suffix>`);
    }
    const metadata: Record<string, unknown> = { ...this.#object(value) };
    if (typeof resourceVersion === 'string') metadata['resourceVersion'] = this.#version(uid, resourceVersion);
    if (value['continue']) metadata['continue'] = '<Token>';
    if (Array.isArray(managedFields))
      metadata['managedFields'] = inOrder(managedFields as Json[], metadata['managedFields'] as Json[]);
    return metadata;
  }

  #version(uid: unknown, version: string): string {
    if (version === '' || version === '0') return version;
    if (typeof uid !== 'string' || uid === '') return '<Rv>';
    const seen = this.#versions.get(uid) ?? [];
    this.#versions.set(uid, seen);
    if (!seen.includes(version)) seen.push(version);
    return `<Rv${seen.indexOf(version) + 1}>`;
  }

  #table(value: Json): Json {
    const columns = value['columnDefinitions'] as readonly { readonly name: string }[];
    const table = this.#object(value);
    const rows = (table['rows'] ?? []) as readonly { readonly cells?: unknown[] }[];
    for (const { cells = [] } of rows)
      for (const [at, cell] of cells.entries())
        if (AGE_COLUMNS.has(columns[at]?.name ?? '') && cell !== '<unknown>') cells[at] = '<Age>';
    return table;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Conflicts with several managers have no order. */
function withConflictsInOrder(causes: readonly unknown[]): readonly unknown[] {
  const conflicts = causes as readonly { reason?: string; message?: string; field?: string }[];
  if (!conflicts.every(({ reason }) => reason === 'FieldManagerConflict')) return causes;
  return [...conflicts].sort((a, b) => (`${a.message}${a.field}` < `${b.message}${b.field}` ? -1 : 1));
}

/** Owners are ordered by operation, time and manager. In which second a request falls is chance, so owners in that order are put in order without their times; others are left as they are. */
function inOrder(entries: readonly Json[], normalized: readonly Json[]): readonly Json[] {
  const keyOf = (withTime: boolean) => (entry: Json) =>
    ['operation', ...(withTime ? ['time'] : []), 'manager', 'apiVersion', 'subresource']
      .map((name) => (typeof entry[name] === 'string' ? entry[name] : ''))
      .join('\0');
  const timed = entries.map(keyOf(true));
  if (timed.some((key, at) => key < (timed[at - 1] ?? ''))) return normalized;
  const untimed = keyOf(false);
  return [...normalized].sort((a, b) => (untimed(a) < untimed(b) ? -1 : untimed(a) > untimed(b) ? 1 : 0));
}
