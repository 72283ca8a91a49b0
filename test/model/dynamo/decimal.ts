/** DynamoDB's numbers have at most this many significant digits. */
const MOST_DIGITS = 38;

const SMALL_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The number `coefficient / 10 ** scale`. */
interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

/** Returns the text in which DynamoDB returns a number: without leading and trailing zeros. `undefined` if it is no number, or has too many digits. */
export function normalizeDecimal(text: string): string | undefined {
  if (SMALL_INTEGER.test(text)) return text;
  const decimal = parse(text);
  const digits = decimal && String(decimal.coefficient).replace(/^-/, '').replace(/0+$/, '');
  return decimal && digits !== undefined && digits.length <= MOST_DIGITS ? format(decimal) : undefined;
}

/** Compares two numbers in DynamoDB's form: negative if `a` is the smaller one. */
export function compareDecimals(a: string, b: string): number {
  if (a === b) return 0;
  if (SMALL_INTEGER.test(a) && SMALL_INTEGER.test(b)) return Number(a) - Number(b);
  const [left, right] = aligned(a, b);
  return left < right ? -1 : Number(left > right);
}

export function addDecimals(a: string, b: string, sign: 1 | -1 = 1): string {
  if (SMALL_INTEGER.test(a) && SMALL_INTEGER.test(b)) return String(Number(a) + sign * Number(b));
  const [left, right, scale] = aligned(a, b);
  return format({ coefficient: sign === 1 ? left + right : left - right, scale });
}

function aligned(a: string, b: string): readonly [bigint, bigint, number] {
  const [left, right] = [parse(a), parse(b)];
  if (!left || !right) throw new TypeError(`${a} or ${b} is not a number`);
  const scale = Math.max(left.scale, right.scale);
  const scaled = (one: Decimal) => one.coefficient * 10n ** BigInt(scale - one.scale);
  return [scaled(left), scaled(right), scale];
}

function parse(text: string): Decimal | undefined {
  const [whole, sign, integer = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || integer + fraction === '') return undefined;
  const scale = fraction.length - Number(exponent);
  const magnitude = BigInt(integer + fraction) * 10n ** BigInt(Math.max(0, -scale));
  return { coefficient: sign === '-' ? -magnitude : magnitude, scale: Math.max(0, scale) };
}

function format({ coefficient, scale }: Decimal): string {
  const sign = coefficient < 0n ? '-' : '';
  const digits = String(coefficient < 0n ? -coefficient : coefficient).padStart(scale + 1, '0');
  const integer = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${sign}${integer}${fraction === '' ? '' : `.${fraction}`}`;
}
