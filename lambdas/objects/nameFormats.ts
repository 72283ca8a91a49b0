/**
 * The formats of names, labels and keys, as apimachinery's `util/validation` checks them. Each function returns the list of errors in
 * Kubernetes' own words; an empty list means that the value is valid. Lengths count bytes of UTF-8, as in Go. Pure.
 */

const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`;
const DNS_1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED_NAME})?`;
const CONFIG_KEY = '[-._a-zA-Z0-9]+';
const HEADER_NAME = '[-A-Za-z0-9]+';
const PERCENT = '[0-9]+%';
const CONDITION_REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** A format: its pattern, and the message for values that do not match it. */
interface Format {
  readonly pattern: RegExp;
  readonly message: string;
}

function format(source: string, demand: string, examples: readonly string[] = []): Format {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return {
    pattern: new RegExp(`^${source}$`),
    message: `${demand} (${quoted && `e.g. ${quoted}`}regex used for validation is '${source}')`,
  };
}

const EDGES = 'must start and end with an alphanumeric character';
const dnsLabel = format(
  DNS_LABEL,
  `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and ${EDGES}`,
  ['my-name', '123-abc'],
);
const dnsSubdomain = format(
  DNS_SUBDOMAIN,
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and ${EDGES}`,
  ['example.com'],
);
const wildcardSubdomain = format(
  `\\*\\.${DNS_SUBDOMAIN}`,
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  ['*.example.com'],
);
const httpPath = format(HTTP_PATH, 'Invalid path');
const dns1035Label = format(
  DNS_1035_LABEL,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  ['my-name', 'abc-123'],
);
const qualifiedName = format(QUALIFIED_NAME, `must consist of alphanumeric characters, '-', '_' or '.', and ${EDGES}`, [
  'MyName',
  'my.name',
  '123-abc',
]);
const labelValue = format(
  LABEL_VALUE,
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and ${EDGES}`,
  ['MyValue', 'my_value', '12345'],
);
const configKey = format(CONFIG_KEY, "a valid config key must consist of alphanumeric characters, '-', '_' or '.'", [
  'key.name',
  'KEY_NAME',
  'key-name',
]);
const headerName = format(HEADER_NAME, "a valid HTTP header must consist of alphanumeric characters or '-'", [
  'X-Header-Name',
]);
const percent = format(PERCENT, "a valid percent string must be a numeric string followed by an ending '%'", [
  '1%',
  '93%',
]);
const conditionReason = format(
  CONDITION_REASON,
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
);

const EMPTY = 'must be non-empty';

/** Kubernetes' wording for a value of more than `length` bytes. */
function maxLengthMessage(length: number): string {
  return `must be no more than ${length} characters`;
}

/** Kubernetes' wording for a number outside its range. */
export function inclusiveRangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

function tooLong(value: string, length: number): string[] {
  return Buffer.byteLength(value) > length ? [maxLengthMessage(length)] : [];
}

function mismatch(value: string, { pattern, message }: Format): string[] {
  return pattern.test(value) ? [] : [message];
}

/** Names of namespaces, containers, volumes. */
export function isDns1123Label(value: string): string[] {
  const errors = tooLong(value, 63);
  if (dnsLabel.pattern.test(value)) return errors;
  return [...errors, dnsSubdomain.pattern.test(value) ? 'must not contain dots' : dnsLabel.message];
}

/** Names of most objects. */
export function isDns1123Subdomain(value: string): string[] {
  return [...tooLong(value, 253), ...mismatch(value, dnsSubdomain)];
}

/** Hosts that stand for every host below a domain: `*.example.com`. */
export function isWildcardDns1123Subdomain(value: string): string[] {
  return [...tooLong(value, 253), ...mismatch(value, wildcardSubdomain)];
}

/** Names of services. */
export function isDns1035Label(value: string): string[] {
  return [...tooLong(value, 63), ...mismatch(value, dns1035Label)];
}

/** Names that only need to be a segment of a URL's path, such as those of roles: `system:discovery`. */
export function isPathSegmentName(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter((mark) => value.includes(mark)).map((mark) => `may not contain '${mark}'`);
}

/** Label and annotation keys, resource names, condition types: `name` or `example.com/name`. */
export function isQualifiedName(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    const optional = " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    return [`a qualified name ${qualifiedName.message}${optional}`];
  }
  const name = parts[parts.length - 1] ?? '';
  const nameErrors = name === '' ? [EMPTY] : tooLong(name, 63);
  return [
    ...(parts.length === 2 ? prefixErrors(parts[0] ?? '') : []),
    ...[...nameErrors, ...mismatch(name, qualifiedName)].map((message) => `name part ${message}`),
  ];
}

function prefixErrors(prefix: string): string[] {
  const errors = prefix === '' ? [EMPTY] : isDns1123Subdomain(prefix);
  return errors.map((message) => `prefix part ${message}`);
}

export function isValidLabelValue(value: string): string[] {
  return [...tooLong(value, 63), ...mismatch(value, labelValue)];
}

/** Keys of config maps and secrets. */
export function isConfigMapKey(value: string): string[] {
  return [...tooLong(value, 253), ...mismatch(value, configKey), ...changesDirectory(value)];
}

/** Names of environment variables since 1.32: printable ASCII characters other than `=`. */
export function isEnvironmentVariableName(value: string): string[] {
  const empty = value === '' ? [`environment variable name ${EMPTY}`] : [];
  if (/^[ -<>-~]*$/.test(value)) return empty;
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function isHttpHeaderName(value: string): string[] {
  return mismatch(value, headerName);
}

/** The path part of a URL. */
export function isHttpPath(value: string): string[] {
  return mismatch(value, httpPath);
}

/** `25%` */
export function isValidPercent(value: string): string[] {
  return mismatch(value, percent);
}

/** Names of ports, which are IANA service names: at most 15 characters of a-z, 0-9 and `-`, with at least one letter. */
export function isValidPortName(value: string): string[] {
  return [
    ...tooLong(value, 15),
    ...(/^[-a-z0-9]+$/.test(value) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(value) ? [] : ['must contain at least one letter (a-z)']),
    ...(value.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(value.startsWith('-') || value.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
  ];
}

export function isValidPortNumber(value: number): string[] {
  return isInRange(value, 1, 65_535);
}

export function isInRange(value: number, low: number, high: number): string[] {
  return Number.isInteger(value) && value >= low && value <= high ? [] : [inclusiveRangeMessage(low, high)];
}

function changesDirectory(value: string): string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** Reasons of conditions, in one word. */
export function isConditionReason(value: string): string[] {
  return mismatch(value, conditionReason);
}
