import type { DriftlessStackProps } from '../cdk/DriftlessStackProps.ts';
import { NEW_ACCOUNT_CONCURRENCY } from './functions/AccountConcurrency.ts';
import { emulatedMappings } from './identity/emulatedIdentities.ts';
import type { EmulationOptions } from './startEmulation.ts';

/** Where instances are. What the template says of it changes nothing here: all of the emulation is on this machine. */
const NODE_NETWORK = {
  vpcId: 'vpc-00000000',
  subnetIds: ['subnet-00000001', 'subnet-00000002'],
  securityGroupId: 'sg-00000000',
};

/** The knobs with which the emulated stack is synthesized. */
export function emulatedKnobs(options: EmulationOptions): Partial<DriftlessStackProps> {
  const {
    accountConcurrency = NEW_ACCOUNT_CONCURRENCY,
    webhookServices = {},
    controllers = {},
    terminatedPodGcThreshold,
    kubernetesVersion,
    serviceClusterIpRange,
    serviceNodePortRange,
    nodes,
    instances = [],
  } = options;
  return {
    identities: emulatedMappings(instances),
    accountConcurrency,
    api: options.api ?? 'function',
    smokeTest: options.smokeTest ?? false,
    ...(options.traffic && { traffic: options.traffic }),
    ...(nodes !== undefined && { nodes }),
    ...(instances.length > 0 && { nodeNetwork: NODE_NETWORK }),
    ...(options.directAddress && { directAddress: 'internal' as const }),
    config: {
      controllers,
      webhookServices,
      ...(terminatedPodGcThreshold !== undefined && { terminatedPodGcThreshold }),
      ...(kubernetesVersion !== undefined && { kubernetesVersion }),
      ...(serviceClusterIpRange !== undefined && { serviceClusterIpRange }),
      ...(serviceNodePortRange !== undefined && { serviceNodePortRange }),
    },
  };
}
