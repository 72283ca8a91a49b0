/** The kinds of options by which a connection to a pod is opened, and what they read of the query. */
const KINDS: Readonly<Record<string, ConnectionKind>> = {
  exec: {
    kind: 'PodExecOptions',
    flags: ['stdin', 'stdout', 'stderr', 'tty'],
    texts: ['container'],
    lists: ['command'],
  },
  attach: { kind: 'PodAttachOptions', flags: ['stdin', 'stdout', 'stderr', 'tty'], texts: ['container'], lists: [] },
  portforward: { kind: 'PodPortForwardOptions', flags: [], texts: [], lists: [] },
  proxy: { kind: 'PodProxyOptions', flags: [], texts: ['path'], lists: [] },
};

interface ConnectionKind {
  readonly kind: string;
  readonly flags: readonly string[];
  readonly texts: readonly string[];
  readonly lists: readonly string[];
}

/**
 * The options of a connection to a pod, as admission sees them: a PodExecOptions of `pods/exec`, from the request's query. `undefined` for subresources that open no connection. Pure.
 */
export function connectionOptions(subresource: string, query: URLSearchParams): object | undefined {
  const known = Object.hasOwn(KINDS, subresource) ? KINDS[subresource] : undefined;
  if (!known) return undefined;
  const { kind, flags, texts, lists } = known;
  const isSet = (name: string) => query.has(name) && !['0', 'false'].includes(query.get(name) ?? '');
  return {
    kind,
    apiVersion: 'v1',
    ...Object.fromEntries(flags.filter(isSet).map((name) => [name, true])),
    ...Object.fromEntries(texts.filter((name) => query.get(name)).map((name) => [name, query.get(name)])),
    ...Object.fromEntries(lists.filter((name) => query.has(name)).map((name) => [name, query.getAll(name)])),
    ...(subresource === 'portforward' && query.has('ports') && { ports: query.getAll('ports').map(Number) }),
  };
}
