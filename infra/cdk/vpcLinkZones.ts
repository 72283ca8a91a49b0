/**
 * Two zones of each region in which API Gateway has VPC links of its second version, by their ids: a zone's name stands for another zone in another account. From
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-vpc-links-v2.html, read on 2026-11-27. In some regions a zone is missing, such as `use1-az3`.
 */
export const VPC_LINK_ZONES = {
  'us-east-1': ['use1-az1', 'use1-az2'],
  'us-east-2': ['use2-az1', 'use2-az2'],
  'us-west-1': ['usw1-az1', 'usw1-az3'],
  'us-west-2': ['usw2-az1', 'usw2-az2'],
  'ap-east-1': ['ape1-az2', 'ape1-az3'],
  'ap-south-1': ['aps1-az1', 'aps1-az2'],
  'ap-northeast-1': ['apne1-az1', 'apne1-az2'],
  'ap-northeast-2': ['apne2-az1', 'apne2-az2'],
  'ap-southeast-1': ['apse1-az1', 'apse1-az2'],
  'ap-southeast-2': ['apse2-az1', 'apse2-az2'],
  'ca-central-1': ['cac1-az1', 'cac1-az2'],
  'eu-central-1': ['euc1-az1', 'euc1-az2'],
  'eu-north-1': ['eun1-az1', 'eun1-az2'],
  'eu-south-2': ['eus2-az1', 'eus2-az2'],
  'eu-west-1': ['euw1-az1', 'euw1-az2'],
  'eu-west-2': ['euw2-az1', 'euw2-az2'],
  'eu-west-3': ['euw3-az1', 'euw3-az3'],
  'me-south-1': ['mes1-az1', 'mes1-az2'],
  'sa-east-1': ['sae1-az1', 'sae1-az2'],
  'us-gov-west-1': ['usgw1-az1', 'usgw1-az2'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;
