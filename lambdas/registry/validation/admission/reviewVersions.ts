import { isDns1035Label } from '../../../objects/nameFormats.ts';
import type { Check } from '../checks.ts';
import { invalid, required } from '../fieldErrors.ts';
import { textsOf } from '../fieldsOf.ts';

/** The versions of reviews in which a webhook can be asked. */
const KNOWN = ['v1', 'v1beta1'];

/** Checks in which versions a webhook wants its reviews: at least one that this server knows. `whenNone`: the error's text if the webhook names no version. `needsKnown`: false for a webhook that was stored with other versions. */
export function reviewVersions(whenNone = '', needsKnown = true): Check {
  return (value, path) => {
    const versions = textsOf(value);
    if (versions.length === 0) return [required(path, whenNone)];
    const errors = versions.flatMap((version, index) => {
      if (versions.indexOf(version) < index) return [invalid(`${path}[${index}]`, version, 'duplicate version')];
      return isDns1035Label(version).map((detail) => invalid(`${path}[${index}]`, version, detail));
    });
    if (!needsKnown || hasKnownVersion(versions)) return errors;
    return [...errors, invalid(path, versions, `must include at least one of ${KNOWN.join(', ')}`)];
  };
}

/** True if this server knows one of the versions. */
export function hasKnownVersion(versions: readonly string[]): boolean {
  return versions.some((version) => KNOWN.includes(version));
}
