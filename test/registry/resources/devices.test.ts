import { describe, expect, test } from 'vitest';
import { deviceClasses } from '../../../lambdas/registry/resources/deviceClasses.ts';
import { resourceClaims, resourceClaimTemplates } from '../../../lambdas/registry/resources/resourceClaims.ts';
import { resourceSlices } from '../../../lambdas/registry/resources/resourceSlices.ts';
import { createErrors, objectOf, rowOf, updateErrors } from '../../support/kindBench.ts';

const claimOf = (request: Record<string, unknown>, devices: Record<string, unknown> = {}) => ({
  spec: { devices: { requests: [{ name: 'gpu', ...request }], ...devices } },
});
const exactly = { deviceClassName: 'gpu.example.com' };
const at = 'spec.devices.requests[0]';

// The rows follow pkg/apis/resource/validation.
describe('a ResourceClaim', () => {
  test('asks for one device of a request unless it says otherwise', () => {
    const { spec } = objectOf(resourceClaims, claimOf({ exactly }));
    expect(spec).toEqual({
      devices: { requests: [{ name: 'gpu', exactly: { ...exactly, allocationMode: 'ExactCount', count: 1 } }] },
    });
    const template = objectOf(resourceClaimTemplates, {
      spec: claimOf({ firstAvailable: [{ name: 'big', ...exactly }] }),
    });
    expect(template['spec']).toMatchObject({
      spec: { devices: { requests: [{ firstAvailable: [{ allocationMode: 'ExactCount', count: 1 }] }] } },
    });
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['for all devices of a class (valid)', claimOf({ exactly: { ...exactly, allocationMode: 'All' } }), []],
    [
      'for nothing',
      claimOf({}),
      [`${at}: Required value: exactly one of \`exactly\` or \`firstAvailable\` is required`],
    ],
    [
      'in two ways at once',
      claimOf({ exactly, firstAvailable: [{ name: 'a', ...exactly }] }),
      [
        `${at}: Invalid value: null: exactly one of \`exactly\` or \`firstAvailable\` is required, but multiple fields are set`,
      ],
    ],
    ['without a class', claimOf({ exactly: {} }), [`${at}.exactly.deviceClassName: Required value`]],
    [
      'for a number of all',
      claimOf({ exactly: { ...exactly, allocationMode: 'All', count: 2 } }),
      [`${at}.exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'`],
    ],
    [
      'for none',
      claimOf({ exactly: { ...exactly, count: -1 } }),
      [`${at}.exactly.count: Invalid value: -1: must be greater than zero`],
    ],
    [
      'for some in an unknown way',
      claimOf({ exactly: { ...exactly, allocationMode: 'Some' } }),
      [`${at}.exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"`],
    ],
    [
      'by a selector that says nothing',
      claimOf({ exactly: { ...exactly, selectors: [{}] } }),
      [`${at}.exactly.selectors[0].cel: Required value`],
    ],
    [
      'with a constraint on a request of another name',
      claimOf({ exactly }, { constraints: [{ requests: ['gpu', 'fpga'], matchAttribute: 'example.com/numa' }] }),
      [
        'spec.devices.constraints[0].requests[1]: Invalid value: "fpga": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
      ],
    ],
    [
      'with a configuration for nobody',
      claimOf({ exactly }, { config: [{ opaque: { parameters: {} } }] }),
      ['spec.devices.config[0].opaque.driver: Required value'],
    ],
  ])('%s', (_, members, errors) => {
    expect(createErrors(resourceClaims, members)).toEqual(errors);
  });

  test('never changes what it asks for', () => {
    const other = claimOf({ exactly: { ...exactly, count: 2 } });
    expect(updateErrors(resourceClaims, other, claimOf({ exactly }))).toEqual([
      expect.stringMatching(/^spec: Invalid value: .*: field is immutable$/),
    ]);
  });

  test.each([
    [{}, {}, 'pending'],
    [{ allocation: {} }, {}, 'allocated'],
    [{ allocation: {}, reservedFor: [{ resource: 'pods', name: 'a', uid: 'u' }] }, {}, 'allocated,reserved'],
    [{}, { deletionTimestamp: '2026-01-31T12:00:00Z' }, 'deleted'],
  ])('with the status %j and the metadata %j is shown as %s', (status, metadata, state) => {
    expect(rowOf(resourceClaims, { ...claimOf({ exactly }), status }, metadata)).toMatchObject({ State: state });
  });
});

const slice = (more: Record<string, unknown> = {}) => ({
  spec: {
    driver: 'dra.example.com',
    pool: { name: 'worker', generation: 1, resourceSliceCount: 1 },
    nodeName: 'worker',
    devices: [{ name: 'gpu-0', attributes: { model: { string: 'a' } }, capacity: { memory: { value: '40Gi' } } }],
    ...more,
  },
});

describe('a ResourceSlice', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['of a node (valid)', slice(), []],
    [
      'of no node',
      slice({ nodeName: undefined }),
      [
        'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
      ],
    ],
    ['of no driver', slice({ driver: '' }), ['spec.driver: Required value']],
    [
      'with two devices of one name',
      slice({ devices: [{ name: 'a' }, { name: 'a' }] }),
      ['spec.devices[1].name: Duplicate value: "a"'],
    ],
  ])('%s', (_, members, errors) => {
    expect(createErrors(resourceSlices, members)).toEqual(errors);
  });

  test('stays with its driver, its pool and its node, by which it is selected and shown', () => {
    expect(updateErrors(resourceSlices, slice({ driver: 'other.example.com' }), slice())).toEqual([
      'spec.driver: Invalid value: "other.example.com": field is immutable',
    ]);
    expect(resourceSlices.selectableFields?.(objectOf(resourceSlices, slice()))).toEqual({
      'spec.driver': 'dra.example.com',
      'spec.nodeName': 'worker',
    });
    expect(rowOf(resourceSlices, slice())).toMatchObject({ Node: 'worker', Driver: 'dra.example.com', Pool: 'worker' });
  });
});

test('a DeviceClass chooses devices by expressions of at most 10 kB', () => {
  const classOf = (expression: string) => ({ spec: { selectors: [{ cel: { expression } }] } });
  expect(createErrors(deviceClasses, classOf('device.driver == "dra.example.com"'))).toEqual([]);
  expect(createErrors(deviceClasses, classOf('x'.repeat(10_241)))).toEqual([
    'spec.selectors[0].cel.expression: Too long: may not be more than 10240 bytes',
  ]);
});
