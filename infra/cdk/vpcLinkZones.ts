/**
 * The zones in which API Gateway has VPC links of version 2, by which it reaches the container: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-vpc-links-v2.html, read on 2026-11-27. They are those of
 * Fargate, too, where AWS limits it: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/AWS_Fargate-Regions.html. They have ids, since a zone's name stands for another zone in another account. AWS adds regions, so one that is not
 * here may have them all the same.
 */
const ZONES: Readonly<Record<string, string>> = {
  'us-east-2': 'use2-az 1 2 3',
  'us-east-1': 'use1-az 1 2 4 5 6',
  'us-west-1': 'usw1-az 1 3',
  'us-west-2': 'usw2-az 1 2 3 4',
  'ap-east-1': 'ape1-az 2 3',
  'ap-south-1': 'aps1-az 1 2 3',
  'ap-northeast-2': 'apne2-az 1 2 3',
  'ap-southeast-1': 'apse1-az 1 2 3',
  'ap-southeast-2': 'apse2-az 1 2 3',
  'ap-northeast-1': 'apne1-az 1 2 4',
  'ca-central-1': 'cac1-az 1 2',
  'eu-central-1': 'euc1-az 1 2 3',
  'eu-west-1': 'euw1-az 1 2 3',
  'eu-west-2': 'euw2-az 1 2 3',
  'eu-west-3': 'euw3-az 1 3',
  'eu-south-2': 'eus2-az 1 2 3',
  'eu-north-1': 'eun1-az 1 2 3',
  'me-south-1': 'mes1-az 1 2 3',
  'sa-east-1': 'sae1-az 1 2 3',
  'us-gov-west-1': 'usgw1-az 1 2 3',
};

/** The regions that AWS' page lists. */
export const VPC_LINK_REGIONS = Object.keys(ZONES);

/** The ids of the region's zones that have VPC links; `undefined` for a region that AWS' page does not list. Pure. */
export function vpcLinkZones(region: string): readonly string[] | undefined {
  const [prefix, ...numbers] = ZONES[region]?.split(' ') ?? [];
  return prefix === undefined ? undefined : numbers.map((number) => `${prefix}${number}`);
}
