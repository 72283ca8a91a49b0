import {
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
} from '../../../objects/nameFormats.ts';
import { matchesFormat } from '../../apiextensions/values/formats.ts';
import { CelList, CelOptional } from '../evaluate/CelValue.ts';
import { FormatValue } from '../evaluate/LibraryValue.ts';
import { type Overload, overload } from './Overload.ts';

interface NamedFormat {
  /** How costly its pattern is taken to be. */
  readonly patternLength: number;
  errorsOf(text: string): readonly string[];
}

/** The prefix of a generated name may end in a dash. */
function prefix(errorsOf: (text: string) => readonly string[]): (text: string) => readonly string[] {
  return (text) => errorsOf(text.length > 1 ? text.replace(/-$/, 'a') : text);
}

function byFormat(format: string, error: string): (text: string) => readonly string[] {
  return (text) => (matchesFormat(format, text) ? [] : [error]);
}

/** Kubernetes' named formats, as `format.<name>()`. */
export const NAMED_FORMATS: Readonly<Record<string, NamedFormat>> = {
  dns1123Label: { patternLength: 30, errorsOf: isDns1123Label },
  dns1123Subdomain: { patternLength: 60, errorsOf: isDns1123Subdomain },
  dns1035Label: { patternLength: 30, errorsOf: isDns1035Label },
  qualifiedName: { patternLength: 60, errorsOf: isQualifiedName },
  dns1123LabelPrefix: { patternLength: 30, errorsOf: prefix(isDns1123Label) },
  dns1123SubdomainPrefix: { patternLength: 60, errorsOf: prefix(isDns1123Subdomain) },
  dns1035LabelPrefix: { patternLength: 30, errorsOf: prefix(isDns1035Label) },
  labelValue: { patternLength: 40, errorsOf: isValidLabelValue },
  uri: {
    patternLength: 1_200,
    errorsOf: (text) => (matchesFormat('uri', text) ? [] : [`parse ${JSON.stringify(text)}: invalid URI for request`]),
  },
  uuid: { patternLength: 78, errorsOf: byFormat('uuid', 'does not match the UUID format') },
  byte: { patternLength: 84, errorsOf: byFormat('byte', 'invalid base64') },
  date: { patternLength: 88, errorsOf: byFormat('date', 'invalid date') },
  datetime: { patternLength: 88, errorsOf: byFormat('datetime', 'invalid datetime') },
};

export const FORMATS: readonly Overload[] = [
  ...Object.keys(NAMED_FORMATS).map((name) =>
    overload(`format.${name}`, `format.${name}`, '() kubernetes.NamedFormat', () => new FormatValue(name)),
  ),
  overload('format-named', 'format.named', '(string) optional_type(kubernetes.NamedFormat)', (name: string) =>
    Object.hasOwn(NAMED_FORMATS, name) ? new CelOptional(new FormatValue(name)) : CelOptional.NONE,
  ),
  overload('format-validate', 'validate', 'kubernetes.NamedFormat.(string) optional_type(list(string))', validate),
];

function validate({ name }: FormatValue, text: string): CelOptional {
  const errors = NAMED_FORMATS[name]?.errorsOf(text) ?? [];
  return errors.length === 0 ? CelOptional.NONE : new CelOptional(new CelList(errors));
}
