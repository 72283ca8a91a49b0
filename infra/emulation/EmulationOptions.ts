import type { StartOptions } from '../commandLine/parseStartOptions.ts';
import type { DriftlessStackProps } from '../cdk/DriftlessStackProps.ts';
import type { TableName } from '../cdk/TableName.ts';
import type { Meter } from './bill/Meter.ts';
import { NEW_ACCOUNT_CONCURRENCY } from './functions/AccountConcurrency.ts';
import { emulatedMappings } from './identity/emulatedIdentities.ts';
import type { EmulatedInstance } from './services/EmulatedEc2.ts';
import type { SynthesizedStack } from './template/synthesizeStack.ts';
import type { TableCopy } from './services/tableCopies.ts';

/** What the command line says of the emulated cloud. */
export type CommandLineOptions = Pick<
  StartOptions,
  | 'port'
  | 'accountConcurrency'
  | 'api'
  | 'nodes'
  | 'controllers'
  | 'terminatedPodGcThreshold'
  | 'kubernetesVersion'
  | 'serviceClusterIpRange'
  | 'serviceNodePortRange'
  | 'requestLimits'
  | 'webhookServices'
>;

/** The port 0, the default, is a free one. */
export interface EmulationOptions extends Partial<CommandLineOptions> {
  /** Counts the usage that AWS bills. */
  readonly meter?: Meter;
  readonly onLog?: (functionName: string, text: string) => void;
  /** Whether the container can be called without API Gateway. */
  readonly directAddress?: boolean;
  /** The instances of EC2 that are nodes by the identities of the stack; none by default. */
  readonly instances?: readonly EmulatedInstance[];
  /** Whether the deployment ends with the stack's smoke test, and fails with it. Default: false. */
  readonly smokeTest?: boolean;
  /** How new releases of the functions take over, as the stack's knob says. */
  readonly traffic?: DriftlessStackProps['traffic'];
  /** The stack to deploy. Absent: that of this release, as the other options say. */
  readonly stack?: SynthesizedStack;
  /** Copies of another stack's tables: they are restored, and the stack adopts them. */
  readonly restored?: Readonly<Partial<Record<TableName, TableCopy>>>;
}

/** Where instances are. What the template says of it changes nothing here: all of the emulation is on this machine. */
const NODE_NETWORK = {
  vpcId: 'vpc-00000000',
  subnetIds: ['subnet-00000001', 'subnet-00000002'],
  securityGroupId: 'sg-00000000',
};

/** Returns the knobs of the stack that is deployed, but for tables that are restored. Pure. */
export function emulatedKnobs(options: EmulationOptions): Partial<DriftlessStackProps> {
  const {
    webhookServices = {},
    controllers = {},
    terminatedPodGcThreshold,
    kubernetesVersion,
    serviceClusterIpRange,
    serviceNodePortRange,
    requestLimits,
    nodes,
    instances = [],
    accountConcurrency = NEW_ACCOUNT_CONCURRENCY,
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
      ...(requestLimits !== undefined && { requestLimits }),
    },
  };
}
