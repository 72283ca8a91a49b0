/** The parts of a URL as Go's `net/url` parses them. */
export interface ParsedUrl {
  readonly scheme: string;
  /** With the port: `example.com:8080`, `[::1]:80`. */
  readonly host: string;
  /** Escaped. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/**
 * Parses an absolute URL or an absolute path, as Go's `url.ParseRequestURI`. Returns `undefined` for everything else: relative paths, control characters,
 * bad escapes, hosts with characters that no host has, ports that are no numbers.
 */
export function parseUrl(text: string): ParsedUrl | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return undefined;
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' };
  if (text.startsWith(':')) return undefined;
  const [, scheme = '', rest = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(text) ?? [];
  if (!rest.startsWith('/'))
    return scheme === '' ? undefined : { scheme: scheme.toLowerCase(), host: '', path: '', query: queryOf(rest) };
  const [beforeQuery = ''] = rest.split('?', 1);
  const hasHost = scheme !== '' && rest.startsWith('//');
  const end = hasHost ? endOfHost(beforeQuery) : 0;
  const host = hasHost ? parseHost(beforeQuery.slice(2, end)) : '';
  const path = beforeQuery.slice(end);
  if (host === undefined || /%(?![0-9a-fA-F]{2})/.test(path)) return undefined;
  return { scheme: scheme.toLowerCase(), host, path, query: queryOf(rest) };
}

function queryOf(text: string): string {
  const start = text.indexOf('?');
  return start < 0 ? '' : text.slice(start + 1);
}

function endOfHost(text: string): number {
  const slash = text.indexOf('/', 2);
  return slash < 0 ? text.length : slash;
}

/** Returns the host without the user; `undefined` if it is invalid. */
function parseHost(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  const host = authority.slice(at + 1);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || /%(?![0-9a-fA-F]{2})/.test(user)) return undefined;
  if (host.startsWith('[')) return /^\[[^\]]*\](?::\d*)?$/.test(host) ? host : undefined;
  if (!/^(?:[^:[\]\s<>"{}|\\^`%]|%[89a-fA-F][0-9a-fA-F]|:)*$/.test(host)) return undefined;
  const colon = host.lastIndexOf(':');
  return colon < 0 || /^:\d*$/.test(host.slice(colon)) ? host : undefined;
}
