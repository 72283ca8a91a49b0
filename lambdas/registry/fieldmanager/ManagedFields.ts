import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.js';
import { goQuote } from '../../objects/go/goQuote.ts';
import { decodeFieldSet, encodeFieldSet } from './encodeFieldSet.ts';
import { FieldManagerError } from './FieldManagerError.ts';
import type { FieldSet } from './FieldSet.ts';

/** The fields that one manager owns through one kind of write: an entry of `metadata.managedFields`. */
export interface ManagedSet {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** `''` for the object itself. */
  readonly subresource: string;
  /** The version in which the paths are told. */
  readonly apiVersion: string;
  readonly set: FieldSet;
  /** When the manager last changed the object, RFC 3339; absent if what it applied never changed anything. */
  readonly time?: string | undefined;
}

/** All owners of an object, by their keys. */
export type ManagedFields = ReadonlyMap<string, ManagedSet>;

type Manager = Omit<ManagedSet, 'set' | 'time'>;

/** Tells entries apart. A manager that applies has one entry, whichever version it applies. */
export function managerKey({ manager, operation, subresource, apiVersion }: Manager): string {
  return JSON.stringify([operation, manager, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Names a manager as conflicts do: `"kubectl" using apps/v1`. */
export function managerText({ manager, operation, subresource, apiVersion }: Manager): string {
  const place = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`;
  return `${goQuote(manager)}${place}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

/** Reads `metadata.managedFields`. Throws FieldManagerError for an entry that cannot be read. */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[]): ManagedFields {
  const managed = entries.map(decodeEntry);
  return new Map(managed.map((one) => [managerKey(one), one]));
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): ManagedSet {
  const { manager = '', operation, subresource = '', apiVersion = '', fieldsType = '', fieldsV1, time } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new FieldManagerError('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new FieldManagerError('apiVersion must not be empty');
  if (fieldsType === '') throw new FieldManagerError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1')
    throw new FieldManagerError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
  return { manager, operation, subresource, apiVersion, set: decodeFieldSet(fieldsV1), time };
}

/** Writes `metadata.managedFields` in Kubernetes' order: applied ones first, then by time, manager, version and subresource. */
export function encodeManagedFields(managed: ManagedFields): ManagedFieldsEntry[] {
  return [...managed.values()].sort(compareEntries).map((one) => ({
    ...(one.manager !== '' && { manager: one.manager }),
    operation: one.operation,
    apiVersion: one.apiVersion,
    ...(one.time !== undefined && { time: one.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldSet(one.set),
    ...(one.subresource !== '' && { subresource: one.subresource }),
  }));
}

function compareEntries(a: ManagedSet, b: ManagedSet): number {
  return (
    compareTexts(a.operation, b.operation) ||
    compareTexts(a.time ?? '', b.time ?? '') ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
