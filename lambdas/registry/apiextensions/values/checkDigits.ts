/** Formats of numbers with a check digit. */

export function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
  return weightedSum(digits, (index) => index + 1) % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  return /^\d{13}$/.test(digits) && weightedSum(digits, (index) => (index % 2 === 0 ? 1 : 3)) % 10 === 0;
}

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** A credit card's number: of a known issuer, with Luhn's check digit; other characters between the digits do not matter. */
export function isCreditCard(text: string): boolean {
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
