import type { CSIVolumeSource } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { isDns1123Subdomain } from '../../objects/nameFormats.ts';
import { invalidEach, required, tooLong } from './fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, textOf } from './fieldsOf.ts';

const MAX_DRIVER_BYTES = 63;

/** An inline volume of a CSI driver. */
export function validateCsiSource(source: Fields<CSIVolumeSource>, path: string): FieldError[] {
  return [
    ...validateDriver(textOf(source.driver), `${path}.driver`),
    ...(isPresent(source.nodePublishSecretRef) ? validateSecretName(source.nodePublishSecretRef, path) : []),
  ];
}

function validateDriver(driver: string, path: string): FieldError[] {
  return [
    ...(driver === '' ? [required(path)] : []),
    ...(Buffer.byteLength(driver) > MAX_DRIVER_BYTES ? [tooLong(path, MAX_DRIVER_BYTES)] : []),
    ...invalidEach(path, driver, isDns1123Subdomain(driver.toLowerCase())),
  ];
}

function validateSecretName(reference: unknown, path: string): FieldError[] {
  const name = textOf(fieldsOf<{ name: string }>(reference).name);
  if (name === '') return [required(`${path}.nodePublishSecretRef.name`)];
  return invalidEach(`${path}.name`, name, isDns1123Subdomain(name));
}
