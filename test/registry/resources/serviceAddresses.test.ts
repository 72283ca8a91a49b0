import { describe, expect, test } from 'vitest';
import { ipAddresses } from '../../../lambdas/registry/resources/ipAddresses.ts';
import { serviceCidrs } from '../../../lambdas/registry/resources/serviceCidrs.ts';
import { volumeAttributesClasses } from '../../../lambdas/registry/resources/volumeAttributesClasses.ts';
import { createErrors, rowOf, updateErrors } from '../../support/kindBench.ts';

const parentRef = { resource: 'services', namespace: 'default', name: 'kubernetes' };

describe('an IPAddress', () => {
  test.each([
    ['10.96.0.1', true],
    ['2001:db8::1', true],
    ['2001:DB8::1', false],
    ['2001:db8:0::1', false],
    ['010.96.0.1', false],
    ['kubernetes', false],
  ])('named %s has a valid name: %s', (name, isValid) => {
    expect(ipAddresses.strategy.nameErrors?.(name)).toEqual(
      isValid ? [] : ['must be a valid IP address in canonical form'],
    );
  });

  test('belongs to one object', () => {
    expect(createErrors(ipAddresses, { spec: { parentRef } })).toEqual([]);
    expect(createErrors(ipAddresses, { spec: {} })).toEqual(['spec.parentRef: Required value']);
    expect(rowOf(ipAddresses, { spec: { parentRef } })).toMatchObject({ ParentRef: 'services/default/kubernetes' });
  });
});

const cidrs = (...ranges: string[]) => ({ spec: { cidrs: ranges } });

describe('a ServiceCIDR', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['of both families (valid)', cidrs('10.96.0.0/16', '2001:db8::/112'), []],
    ['of nothing', cidrs(), ['spec.cidrs: Required value: at least one CIDR required']],
    [
      'of three ranges',
      cidrs('10.0.0.0/16', '10.1.0.0/16', '10.2.0.0/16'),
      ['spec.cidrs: Too many: 3: must have at most 2 items'],
    ],
    [
      'of two ranges of one family',
      cidrs('10.0.0.0/16', '10.1.0.0/16'),
      [
        'spec.cidrs: Invalid value: ["10.0.0.0/16","10.1.0.0/16"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/96',
      ],
    ],
  ])('%s', (_, members, errors) => {
    expect(createErrors(serviceCidrs, members)).toEqual(errors);
  });

  test('may get a second range, and keeps its first', () => {
    const both = cidrs('10.96.0.0/16', '2001:db8::/112');
    expect(updateErrors(serviceCidrs, both, cidrs('10.96.0.0/16'))).toEqual([]);
    expect(updateErrors(serviceCidrs, cidrs('10.97.0.0/16'), cidrs('10.96.0.0/16'))).toEqual([
      'spec.cidrs: Forbidden: field is immutable',
    ]);
    expect(rowOf(serviceCidrs, both)).toMatchObject({ CIDRs: '10.96.0.0/16,2001:db8::/112' });
  });
});

test('a VolumeAttributesClass has parameters, and never changes', () => {
  const gold = { driverName: 'csi.example.com', parameters: { iops: '4000' } };
  expect(createErrors(volumeAttributesClasses, gold)).toEqual([]);
  expect(createErrors(volumeAttributesClasses, { driverName: 'csi.example.com' })).toEqual([
    'parameters: Required value: must contain at least one key/value pair',
  ]);
  expect(updateErrors(volumeAttributesClasses, { ...gold, parameters: { iops: '1' } }, gold)).toEqual([
    'parameters: Forbidden: updates to parameters are forbidden.',
  ]);
  expect(rowOf(volumeAttributesClasses, gold)).toMatchObject({ DriverName: 'csi.example.com' });
});
