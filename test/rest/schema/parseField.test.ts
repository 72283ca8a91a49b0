import { expect, test } from 'vitest';
import { type FieldFacts, parseField } from '../../../lambdas/rest/schema/parseField.ts';

const atomic = { type: 'atomic', keys: [] };

test.each<[string, Partial<FieldFacts>]>([
  ['name:1:string', { name: 'name', number: 1, shape: 'single', scalar: 'string', goType: 'string', keepsZero: false }],
  ['replicas:1:*int32', { scalar: 'int32', keepsZero: true, isPresent: false }],
  ['maxReplicas:3:!int32', { scalar: 'int32', keepsZero: true, isPresent: false }],
  ['spec:2:PodSpec', { scalar: undefined, typeName: 'core.v1.PodSpec', goType: 'v1.PodSpec', isPresent: false }],
  ['metadata:1:!meta.v1.ObjectMeta', { typeName: 'meta.v1.ObjectMeta', isPresent: true, keepsZero: false }],
  ['...handler:1:ProbeHandler', { name: 'handler', inlined: true }],
  ['phase:1:string(PodPhase)', { goType: 'v1.PodPhase' }],
  ['uid:5:*string(types.UID)', { goType: 'types.UID', keepsZero: true }],
  ['limits:1:{}Quantity', { shape: 'map', goType: 'v1.ResourceList', atomicMap: false, listType: undefined }],
  ['nodeSelector:7:{}string/atomic', { shape: 'map', goType: 'map[string]string', atomicMap: true }],
  ['args:4:[]string', { shape: 'list', goType: '[]string', listType: atomic as never, keepsEmpty: false }],
  ['finalizers:14:[]string/merge/set', { patchStrategies: ['merge'], listType: { type: 'set', keys: [] } }],
  ['rules:1:![]Rule', { keepsEmpty: true, isPresent: false, keepsZero: false }],
  [
    'containers:2:![]Container/merge(name)/required',
    {
      keepsEmpty: true,
      isPresent: true,
      isRequired: true,
      mergeKey: 'name',
      listType: { type: 'map', keys: ['name'] },
    },
  ],
  [
    'resourceClaims:39:[]PodResourceClaim/merge,retainKeys(name)/since(1.34)',
    { patchStrategies: ['merge', 'retainKeys'], mergeKey: 'name', since: 34 },
  ],
  [
    'ports:6:[]ContainerPort/merge(containerPort)/map(containerPort,protocol)',
    { mergeKey: 'containerPort', listType: { type: 'map', keys: ['containerPort', 'protocol'] } },
  ],
])('%s is read', (notation, facts) => {
  expect(parseField('core.v1', notation)).toMatchObject(facts);
});

test.each([
  'replicas:int32',
  'replicas:1',
  'replicas:1:int32/sine(1.34)',
  'ports:6:[]ContainerPort/map()',
  'a:1:&int32',
])('%s is no field', (notation) => {
  expect(() => parseField('core.v1', notation)).toThrow(/no (?:field|fact)/);
});
