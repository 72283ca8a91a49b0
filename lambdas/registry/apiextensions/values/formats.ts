import { isIPv4, isIPv6 } from 'node:net';
import { RE2JS } from 're2js';
import type { JsonSchemaProps } from '../schema/JsonSchemaProps.ts';
import { isGoDuration } from '../../../objects/go/goDuration.ts';
import { parseUrl } from './parseUrl.ts';

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Formats of texts by their names without dashes, as go-openapi's `strfmt` checks them. */
const TEXT_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: (text) => parseUrl(text) !== undefined,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && isIp(text),
  ipv6: (text) => text.includes(':') && isIp(text),
  cidr: isCidr,
  mac: isMac,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: isRgbColor,
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]{2,}={0,2}$/.test(text),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: (text) =>
    text.length <= 253 && text.split('.').every((one) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(one)),
};

/** Returns the schema's format, or `''` if Kubernetes ignores it: formats that it does not know, and formats of other types. */
export function supportedFormat({ type, format = '' }: JsonSchemaProps): string {
  if (type === undefined || type === 'string') return isKnownFormat(format) ? format : '';
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (type === 'number') return format === 'float' || format === 'double' ? format : '';
  return '';
}

export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(TEXT_FORMATS, normalize(format));
}

/** True if a text has a known format. */
export function matchesFormat(format: string, text: string): boolean {
  return TEXT_FORMATS[normalize(format)]?.(text) ?? true;
}

/** go-openapi ignores dashes in the names of formats: `date-time` is `datetime`. */
function normalize(format: string): string {
  return format.replaceAll('-', '');
}

/** An address of mail as Go's `mail.ParseAddress` reads the usual ones: `a@b.c`, `"a b"@c`, `Name <a@b.c>`. */
function isEmail(text: string): boolean {
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\uffff-]+";
  const local = `(?:${atom}(?:\\.${atom})*|"(?:[^"\\\\\\r\\n]|\\\\.)*")`;
  const address = `${local}@(?:${atom}(?:\\.${atom})*|\\[[^\\]\\\\]*\\])`;
  const inBrackets = /^(?:[^<>"@]*|"[^"]*"\s*)<([^<>]*)>\s*$/.exec(text);
  return new RegExp(`^\\s*${address}\\s*$`).test(inBrackets?.[1] ?? text);
}

let hostname: RE2JS | undefined;

function isHostname(text: string): boolean {
  const symbol = '[a-zA-Z0-9\\p{S}\\p{L}]';
  const label = `${symbol}(([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}${symbol})?)`;
  hostname ??= RE2JS.compile(`^(${symbol}((-?${symbol}{0,62})?)|(${label}(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$`);
  if (text.length > 255 || Buffer.byteLength(text) > 255 || !hostname.matcher(text).find()) return false;
  return text.split('.').every((part) => Buffer.byteLength(part) <= 63);
}

/** True for an IP address; numbers with leading zeros are taken, as Kubernetes still does here. */
function isIp(text: string): boolean {
  const plain = text.replace(/(^|[.:])0+(?=\d+(?:\.|$))/g, '$1');
  return isIPv4(plain) || (isIPv6(plain) && !plain.includes('%'));
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits) || !isIp(address)) return false;
  return Number(bits) <= (address.includes(':') ? 128 : 32);
}

function isMac(text: string): boolean {
  const bytes = /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2})*)$/.test(text) ? (text.length + 1) / 3 : 0;
  const words = /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text) ? ((text.length + 1) / 5) * 2 : 0;
  return [6, 8, 20].includes(bytes + words);
}

function isRgbColor(text: string): boolean {
  const inner = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return inner !== null && inner.slice(1).every((part) => /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/.test(part));
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === '') return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hours = '', minutes = '', seconds = ''] =
    /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time) ?? [];
  return isDate(date) && hours !== '' && hours <= '23' && minutes <= '59' && seconds <= '59';
}

/** A duration of Go, or of Scala: `3 days`, `5 minutes 2 hrs`. */
function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  const units = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;
  return [...text.matchAll(/\d{1,19}\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => units.test(unit));
}

/** Formats of numbers with a check digit. */
function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
  return weightedSum(digits, (index) => index + 1) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  return /^\d{13}$/.test(digits) && weightedSum(digits, (index) => (index % 2 === 0 ? 1 : 3)) % 10 === 0;
}

/** A credit card's number: of a known issuer, with Luhn's check digit; other characters between the digits do not matter. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (!CARD.test(digits)) return false;
  const fromRight = digits.split('').reverse().map(Number);
  const sum = fromRight.reduce((total, digit, index) => total + luhnValue(digit, index), 0);
  return sum % 10 === 0;
}

function luhnValue(digit: number, index: number): number {
  if (index % 2 === 0) return digit;
  return digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
}

function withoutSeparators(text: string): string {
  return text.replace(/[\s-]+/g, '');
}

function weightedSum(digits: string, weightOf: (index: number) => number): number {
  return digits
    .split('')
    .reduce((sum, digit, index) => sum + weightOf(index) * (digit === 'X' ? 10 : Number(digit)), 0);
}
