import type { ExistingSubnet, Zone } from '../../preflight/AccountReads.ts';
import { vpcLinkZones } from '../../cdk/vpcLinkZones.ts';
import { cloudOf, unlessInCloud } from '../Place.ts';
import { deployedOfType, type DeployedStack } from '../StackAccount.ts';
import { isContainer } from './deployment.ts';
import { differs, failed, ok, type Step, type Verdict } from '../Step.ts';

export interface ZoneFacts {
  /** The subnets that the stack has made, in the order of the template. */
  readonly subnets: readonly ExistingSubnet[];
  /** The zones that the template names for them by id; empty if it takes the first ones by name. */
  readonly namedIds: readonly string[];
  readonly zones: readonly Zone[];
  readonly defaultSubnetZones: readonly string[];
  /** The zones in which API Gateway reaches a container; undefined if the API is none, or nobody knows. */
  readonly linkZones: readonly string[] | undefined;
}

/** Whether the subnets are in the zones in which the template, and the preflight, say they are. */
export const zones: Step<ZoneFacts> = {
  id: 'zones',
  expects:
    'The subnets are in the zones that the template names by their ids, or in the first two by name of those with a default subnet; those of a container are in zones in which API Gateway has VPC links.',
  unavailable: (place) =>
    unlessInCloud(place, ({ stack }) =>
      subnetsOf(stack).length > 0 ? undefined : 'the stack has no network of its own',
    ),
  async observe(place) {
    const { account, stack } = cloudOf(place);
    const ids = subnetsOf(stack).map(({ physicalId }) => physicalId);
    const found = await account.reads.subnets(ids);
    return {
      subnets: ids.flatMap((id) => found.find((subnet) => subnet.id === id) ?? []),
      namedIds: namedZones(stack, account.region),
      zones: await account.reads.zones(),
      defaultSubnetZones: await account.reads.defaultSubnetZones(),
      linkZones: isContainer(stack) ? vpcLinkZones(account.region) : undefined,
    };
  },
  judge: judgeZones,
};

function subnetsOf(stack: DeployedStack) {
  return deployedOfType(stack, 'AWS::EC2::Subnet');
}

/** A zone is written as its id, or looked up in the template's mapping of regions, whose columns are in the order of `vpcLinkZones`. */
function namedZones(stack: DeployedStack, region: string): readonly string[] {
  const mapped: Readonly<Record<string, number>> = { first: 0, second: 1 };
  return subnetsOf(stack).flatMap(({ Properties }) => {
    const zone = Properties?.['AvailabilityZoneId'];
    if (typeof zone === 'string') return [zone];
    const [, , column] =
      (zone as { readonly 'Fn::FindInMap'?: readonly string[] } | undefined)?.['Fn::FindInMap'] ?? [];
    return vpcLinkZones(region)?.[mapped[column ?? ''] ?? Number.NaN] ?? [];
  });
}

export function judgeZones({ subnets, namedIds, zones: all, defaultSubnetZones, linkZones }: ZoneFacts): Verdict {
  if (subnets.length === 0) return failed('The subnets of the stack are not there.');
  const actual = subnets.map(({ zone }) => zone.id);
  const found = `The subnets are in ${subnets.map(({ zone }) => `${zone.name} (${zone.id})`).join(' and ')}`;
  const without = linkZones ? actual.filter((id) => !linkZones.includes(id)) : [];
  if (without.length > 0) return failed(`${found}; API Gateway has no VPC links in ${without.join(', ')}.`);
  const promised = namedIds.length > 0 ? namedIds : firstByName(all, defaultSubnetZones, actual.length);
  return promised.join() === actual.join() ? ok(`${found}.`) : differs(`${found}, not in ${promised.join(' and ')}.`);
}

function firstByName(all: readonly Zone[], withDefaultSubnet: readonly string[], count: number): readonly string[] {
  const usual = all.filter(({ name }) => withDefaultSubnet.includes(name));
  const sorted = [...(usual.length > 0 ? usual : all)].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.slice(0, count).map(({ id }) => id);
}
