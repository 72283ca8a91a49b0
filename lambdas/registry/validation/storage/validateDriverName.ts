import { isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { all, type Check, format, nonEmptyText } from '../checks.ts';
import { tooLong } from '../fieldErrors.ts';
import { textOf } from '../fieldsOf.ts';

const MAX_DRIVER_BYTES = 63;

/** A text of at most so many bytes. */
function shorterThan(maxBytes: number): Check {
  return (value, path) => (Buffer.byteLength(textOf(value)) > maxBytes ? [tooLong(path, maxBytes)] : []);
}

/** The name of a CSI driver: a DNS subdomain in any case. */
export const driverName: Check = nonEmptyText(
  '',
  all(
    shorterThan(MAX_DRIVER_BYTES),
    format((name) => isDns1123Subdomain(name.toLowerCase())),
  ),
);
