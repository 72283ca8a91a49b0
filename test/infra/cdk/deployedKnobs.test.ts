import { expect, test } from 'vitest';
import { knobsMetadata, readKnobsMetadata } from '../../../infra/cdk/deployedKnobs.ts';
import { DEFAULT_STACK_PROPS } from '../../../infra/cdk/DriftlessStackProps.ts';
import { parseStackProps } from '../../../infra/cdk/parseStackProps.ts';
import { synthesizeStack } from './synthesizeStack.ts';

test('the template says with which knobs it was made, and by which release', () => {
  const template = synthesizeStack({ api: 'container', watchSeconds: { resumed: 30, unresumed: 40 } });
  const { Driftless } = (template.toJSON() as { readonly Metadata: { readonly Driftless: unknown } }).Metadata;
  expect(Driftless).toEqual({
    release: expect.stringMatching(/^\d+\.\d+\.\d+/),
    knobs: { api: 'container', watchSeconds: { resumed: 30, unresumed: 40 } },
  });
  expect(readKnobsMetadata(Driftless)?.props).toMatchObject({ api: 'container', alarms: DEFAULT_STACK_PROPS.alarms });
});

test('all knobs come back from the metadata', () => {
  const props = parseStackProps({
    api: 'container',
    directAddress: 'internal',
    accountConcurrency: 1000,
    workerGroup: {},
  });
  expect(readKnobsMetadata(knobsMetadata(props, '0.1.0'))?.props).toEqual(props);
});

test.each([
  ['that a release without them wrote', undefined],
  ['of a later release, whose knobs are not known', { release: '9.0.0', knobs: { later: true } }],
])('metadata %s says nothing', (_name, metadata) => expect(readKnobsMetadata(metadata)).toBeUndefined());
