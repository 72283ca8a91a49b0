import type { CustomResourceDefinitionNames } from 'kubernetes-types/apiextensions/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { isDns1035Label } from '../../objects/nameFormats.ts';
import { invalid } from '../validation/fieldErrors.ts';
import { fieldsOf, textOf, textsOf } from '../validation/fieldsOf.ts';

/** Returns the errors of names, wanted or accepted: Kubernetes' `ValidateCustomResourceDefinitionNames`. An absent name is no error here. Pure. */
export function validateDefinitionNames(names: unknown, path: string): FieldError[] {
  const given = fieldsOf<CustomResourceDefinitionNames>(names);
  const kind = textOf(given.kind);
  const listKind = textOf(given.listKind);
  return [
    ...labelErrors(textOf(given.plural), `${path}.plural`),
    ...labelErrors(textOf(given.singular), `${path}.singular`),
    ...kindErrors(kind, `${path}.kind`),
    ...kindErrors(listKind, `${path}.listKind`),
    ...eachLabel(given.shortNames, `${path}.shortNames`),
    ...(kind !== '' && kind === listKind
      ? [invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...eachLabel(given.categories, `${path}.categories`),
  ];
}

function labelErrors(name: string, path: string): FieldError[] {
  const errors = name === '' ? [] : isDns1035Label(name);
  return errors.length === 0 ? [] : [invalid(path, name, errors.join(','))];
}

function kindErrors(kind: string, path: string): FieldError[] {
  const errors = kind === '' ? [] : isDns1035Label(kind.toLowerCase());
  if (errors.length === 0) return [];
  return [invalid(path, kind, `may have mixed case, but should otherwise match: ${errors.join(',')}`)];
}

function eachLabel(names: unknown, path: string): FieldError[] {
  return textsOf(names).flatMap((name, index) => {
    const errors = isDns1035Label(name);
    return errors.length === 0 ? [] : [invalid(`${path}[${index}]`, name, errors.join(','))];
  });
}
