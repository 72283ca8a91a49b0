import type { FieldError } from '../../../objects/FieldError.ts';
import { goQuote } from '../../../objects/go/goQuote.ts';
import { isDns1123Label, isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import { invalid, required, tooLong } from '../fieldErrors.ts';

const MAX_DOMAIN_BYTES = 253;
/** `<domain>/<namespace>.<name>` fits. */
const MAX_BYTES = 571;
const FORM = "must be a fully qualified domain and path of the form 'example.com/signer-name'";

/** Validates the name of who signs certificates: `example.com/signer`. Pure. */
export function validateSignerName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const [domain, rest, ...others] = name.split('/');
  if (domain === undefined || rest === undefined || others.length > 0) return [invalid(path, name, FORM)];
  return [
    ...(Buffer.byteLength(domain) > MAX_DOMAIN_BYTES ? [tooLong(path, MAX_DOMAIN_BYTES)] : []),
    ...firstWrongPart(domain, isDns1123Label, path),
    ...(domain.includes('.')
      ? []
      : [invalid(path, domain, 'should be a domain with at least two segments separated by dots')]),
    ...firstWrongPart(rest, isDns1123Subdomain, path),
    ...(Buffer.byteLength(name) > MAX_BYTES ? [tooLong(path, MAX_BYTES)] : []),
  ];
}

/** The errors of the first part, between dots, that is wrong. */
function firstWrongPart(text: string, errorsOf: (part: string) => string[], path: string): FieldError[] {
  for (const part of text.split('.')) {
    const errors = errorsOf(part);
    if (errors.length > 0)
      return errors.map((error) => invalid(path, text, `validating label ${goQuote(part)}: ${error}`));
  }
  return [];
}
