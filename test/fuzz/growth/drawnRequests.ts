import * as fc from '../../support/seededFastCheck.ts';
import { custom, type FoundHole, times } from './growingBodies.ts';
import { grownSchema, keywords, VALUES } from './drawnSchemas.ts';
import { type Filling, FILLINGS, type SchemaPlace, schemaPlaces } from './schemaBodies.ts';
import type { GrowingRequest } from './MeasuredApi.ts';

/** The stored objects that can be patched, see `foundHoles.ts`. */
const PATCHED: Readonly<Record<string, string>> = { configmaps: 'kept', 'deployments.apps': 'web' };

type Json = Readonly<Record<string, unknown>>;

/** The ways in which a grown object can arrive. */
const WAYS: Readonly<Record<string, (place: SchemaPlace, filling: Filling) => GrowingRequest>> = {
  create: (place, filling) => ({
    name: `create ${place.name}`,
    url: place.url,
    bodyOf: (share) => JSON.stringify(place.bodyOf(filling, share)),
  }),
  update: (place, filling) => ({
    ...target(place, 'update', 'PUT'),
    bodyOf: (share) => JSON.stringify(named(place, filling, share)),
  }),
  merge: (place, filling) => patch(place, filling, 'application/merge-patch+json'),
  strategic: (place, filling) => patch(place, filling, 'application/strategic-merge-patch+json'),
  apply: (place, filling) => ({
    ...target(place, 'apply', 'PATCH', '&fieldManager=fuzz&force=true'),
    contentType: 'application/apply-patch+yaml',
    bodyOf: (share) => JSON.stringify(named(place, filling, share)),
  }),
  // The value arrives once, and operations copy and move it.
  operations: (place, filling) => ({
    ...target(place, 'operations', 'PATCH'),
    contentType: 'application/json-patch+json',
    bodyOf: (share) => JSON.stringify(operations(place, filling, share)),
  }),
};

function target(place: SchemaPlace, way: string, method: 'PUT' | 'PATCH', more = '') {
  const [path, query] = place.url.split('?');
  return { name: `${way} ${place.name}`, method, url: `${path}/${PATCHED[place.groupResource]}?${query}${more}` };
}

function patch(place: SchemaPlace, filling: Filling, contentType: string): GrowingRequest {
  return {
    ...target(place, contentType, 'PATCH'),
    contentType,
    bodyOf: (share) => JSON.stringify(named(place, filling, share)),
  };
}

/** The object with the name of the stored one. */
function named(place: SchemaPlace, filling: Filling, share: number): Json {
  const object = place.bodyOf(filling, share);
  return { ...object, metadata: { ...(object['metadata'] as Json), name: PATCHED[place.groupResource] } };
}

function operations(place: SchemaPlace, filling: Filling, share: number): Json[] {
  const [, first = ''] = place.pointer.split('/');
  const value = named(place, filling, share / 2)[first];
  const copies = times(2_000 * share, (index) => [
    { op: 'copy', from: `/${first}`, path: `/metadata/annotations/a${index % 10}` },
    { op: 'move', from: `/metadata/annotations/a${index % 10}`, path: '/metadata/annotations/b' },
  ]);
  return [
    { op: 'replace', path: `/${first}`, value },
    { op: 'add', path: '/metadata/annotations', value: {} },
    ...copies.flat(),
  ];
}

/** A request with one place that grows, drawn from the types of the API. */
export function drawnRequest(): fc.Arbitrary<GrowingRequest> {
  const places = schemaPlaces();
  const patchable = places.filter(({ groupResource }) => groupResource in PATCHED);
  const filling = fc.constantFrom(...FILLINGS);
  const anywhere = fc.tuple(fc.constantFrom(...places), filling, fc.constant('create'));
  const stored = fc.tuple(fc.constantFrom(...patchable), filling, fc.constantFrom(...Object.keys(WAYS)));
  return fc.oneof(anywhere, stored).map(([place, how, way]) => {
    const request = (WAYS[way] as (typeof WAYS)[string])(place, how);
    return { ...request, name: `${request.name}, ${how}` };
  });
}

/** A custom object whose items grow, with a schema of which one keyword is large, drawn from what schemas can say. */
export function drawnObject(): fc.Arbitrary<FoundHole & { readonly keyword: string }> {
  const values = fc.constantFrom(...(Object.keys(VALUES) as (keyof typeof VALUES)[]));
  return fc
    .tuple(fc.constantFrom(...keywords()), fc.constantFrom(10, 100, 1_000), values)
    .map(([keyword, size, value]) => ({
      ...custom(`${size} of ${keyword}, ${value}`, grownSchema(keyword, size), 10_000, VALUES[value]),
      keyword,
    }));
}

/** The definition of a custom kind that grows, one for each keyword. */
export function grownDefinition(keyword: string): GrowingRequest {
  const definitionOf = (size: number) => {
    const schema = { type: 'object', properties: { v: grownSchema(keyword, size) } };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
    const names = { plural: 'grown', kind: 'Grown' };
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions };
    return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec };
  };
  return {
    name: `a definition with ${keyword}`,
    url: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    bodyOf: (share) => JSON.stringify(definitionOf(10_000 * share)),
  };
}

const metadata = { name: 'grown.example.com' };
