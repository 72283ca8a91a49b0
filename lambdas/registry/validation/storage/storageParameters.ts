import type { Check } from '../checks.ts';
import { invalid, tooLong } from '../fieldErrors.ts';
import { textEntriesOf } from '../fieldsOf.ts';

const MOST_PARAMETERS = 512;
const MOST_PARAMETER_BYTES = 256 * 1024;

/** The parameters of a class of volumes: how many, how long, and none without a name. */
export const storageParameters: Check = (value, path) => {
  const entries = textEntriesOf(value);
  // Upstream says so although it counts parameters, and no bytes.
  if (entries.length > MOST_PARAMETERS) return [tooLong(path, MOST_PARAMETERS)];
  const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0);
  return [
    ...entries.filter(([key]) => key === '').map(() => invalid(path, '', 'field can not be empty.')),
    ...(bytes > MOST_PARAMETER_BYTES ? [tooLong(path, MOST_PARAMETER_BYTES)] : []),
  ];
};
