/** A URL as Go's `url.Parse` takes it apart. Missing parts are empty. */
export interface GoUrl {
  readonly scheme: string;
  /** The name and the password, if it has any. */
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

/** Takes a URL apart, or returns what is wrong with it, in Go's words. Unlike browsers, Go accepts references without a scheme and without a host. Pure. */
export function parseGoUrl(text: string): GoUrl | { readonly error: string } {
  const failed = (why: string) => ({ error: `parse ${JSON.stringify(text)}: ${why}` });
  if (Array.from(text).some(isControl)) return failed('net/url: invalid control character in URL');
  const [whole = '', fragment = ''] = splitOnce(text, '#');
  if (whole.startsWith(':')) return failed('missing protocol scheme');
  const [, scheme = '', rest = whole] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(whole) ?? [];
  const [path = '', query = ''] = splitOnce(rest, '?');
  if (scheme === '' && /^[^/]*:/.test(path)) return failed('first path segment in URL cannot contain colon');
  const [, authority = ''] = /^\/\/([^/]*)/.exec(path) ?? [];
  const at = authority.lastIndexOf('@');
  const [user, host] = at < 0 ? [undefined, authority] : [authority.slice(0, at), authority.slice(at + 1)];
  const error = hostError(host) ?? escapeError(`${path}#${fragment}`);
  return error === undefined ? { scheme: scheme.toLowerCase(), user, host, query, fragment } : failed(error);
}

function isControl(character: string): boolean {
  return character < ' ' || character === '\u007f';
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function hostError(host: string): string | undefined {
  const port = /:([^:\]]*)$/.exec(host);
  if (port && !/^\d*$/.test(port[1] ?? '')) return `invalid port ${JSON.stringify(port[0])} after host`;
  const wrong = /[ "<>\\^`{|}]/.exec(host)?.[0];
  return wrong === undefined ? undefined : `invalid character ${JSON.stringify(wrong)} in host name`;
}

function escapeError(text: string): string | undefined {
  const wrong = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(text)?.[0];
  return wrong === undefined ? undefined : `invalid URL escape ${JSON.stringify(wrong)}`;
}
