import * as fc from '../support/seededFastCheck.ts';

/** A place of the API that holds any JSON. */
export interface RawPlace {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  /** The name of the place's object of that number. Names of definitions are taken for a while after they are deleted. */
  readonly nameOf: (number: number) => string;
  /** The object of that number with this value at the place; all but its name. */
  readonly holding: (value: object, number: number) => object;
  readonly valueIn: (object: Held) => unknown;
  /** False for what clients send as JSON alone. */
  readonly hasProtobuf: boolean;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
export type Held = any;

const RESOURCES = '/apis/resource.k8s.io/v1';
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const plainName = (number: number) => `raw-${number}`;
const opaque = (value: object) => [{ opaque: { driver: 'example.com', parameters: value } }];
const devices = (value: object) => ({ devices: { config: opaque(value) } });
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The definition of resources of that plural in version v1. */
export const definition = (plural: string, schema: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, singular: `one-${plural}`, kind: plural, listKind: `${plural}List` },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

/** The custom objects that hold anything. */
export const THINGS = definition('things', { type: 'object', properties: { spec: ANYTHING } });

export const RAW_PLACES: Readonly<Record<string, RawPlace>> = {
  'ControllerRevision.data': {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    path: '/apis/apps/v1/namespaces/default/controllerrevisions',
    nameOf: plainName,
    holding: (data) => ({ data, revision: 1 }),
    valueIn: ({ data }) => data,
    hasProtobuf: true,
  },
  'DeviceClass.spec.config': {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    path: `${RESOURCES}/deviceclasses`,
    nameOf: plainName,
    holding: (value) => ({ spec: { config: opaque(value) } }),
    valueIn: ({ spec }) => spec.config[0].opaque.parameters,
    hasProtobuf: true,
  },
  'ResourceClaim.spec.devices.config': {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    path: `${RESOURCES}/namespaces/default/resourceclaims`,
    nameOf: plainName,
    holding: (value) => ({ spec: devices(value) }),
    valueIn: ({ spec }) => spec.devices.config[0].opaque.parameters,
    hasProtobuf: true,
  },
  'ResourceClaimTemplate.spec.spec.devices.config': {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    path: `${RESOURCES}/namespaces/default/resourceclaimtemplates`,
    nameOf: plainName,
    holding: (value) => ({ spec: { spec: devices(value) } }),
    valueIn: ({ spec }) => spec.spec.devices.config[0].opaque.parameters,
    hasProtobuf: true,
  },
  'the example of a schema': {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    path: DEFINITIONS,
    nameOf: (number) => `examples${number}.example.com`,
    holding: (example, number) => ({ spec: definition(`examples${number}`, { ...ANYTHING, example }).spec }),
    valueIn: ({ spec }) => spec.versions[0].schema.openAPIV3Schema.example,
    hasProtobuf: false,
  },
  'the default of a schema': {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    path: DEFINITIONS,
    nameOf: (number) => `defaults${number}.example.com`,
    holding: (value, number) => ({
      spec: definition(`defaults${number}`, { type: 'object', properties: { any: { ...ANYTHING, default: value } } })
        .spec,
    }),
    valueIn: ({ spec }) => spec.versions[0].schema.openAPIV3Schema.properties.any.default,
    hasProtobuf: false,
  },
  'a custom object whose unknown fields are kept': {
    apiVersion: 'example.com/v1',
    kind: 'things',
    path: '/apis/example.com/v1/namespaces/default/things',
    nameOf: plainName,
    holding: (spec) => ({ spec }),
    valueIn: ({ spec }) => spec,
    hasProtobuf: false,
  },
  'an annotation': {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: '/api/v1/namespaces/default/configmaps',
    nameOf: plainName,
    // It holds the text of some JSON, as that of `kubectl apply` does.
    holding: (value) => ({ metadata: { annotations: { 'example.com/raw': JSON.stringify(value) } } }),
    valueIn: ({ metadata }) => JSON.parse(metadata.annotations['example.com/raw']) as unknown,
    hasProtobuf: true,
  },
};

/** Any JSON object, with a null at each kind of place. */
export const anyRawValue = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((drawn) => {
    const value = { ...drawn, absent: null, nested: [{ a: null, list: [], map: {} }, null], number: 1.5, text: '' };
    return JSON.parse(JSON.stringify(value)) as object;
  });
