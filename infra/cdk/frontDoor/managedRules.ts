/** A group of AWS' rules, and those of its rules that only count what they match. */
export interface ManagedRules {
  readonly name: `AWSManagedRules${string}`;
  readonly onlyCounted: Readonly<Record<string, string>>;
}

const BODY =
  'An object holds what its owner wants: scripts, markup, addresses, paths and configuration of other programs.';
const EXTENSIONS = 'The name of an object may end in `.conf` or `.log`, and is part of the path.';

/**
 * AWS' rules that an API of Kubernetes can bear, by group; each rule that is counted has its reason. Rules for databases and for operating systems are left out: no request becomes a statement of SQL or a command. So is the list of hosting
 * providers, from which CI systems come. https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-list.html names all groups and rules.
 */
export const MANAGED_RULES: readonly ManagedRules[] = [
  { name: 'AWSManagedRulesAmazonIpReputationList', onlyCounted: {} },
  {
    name: 'AWSManagedRulesKnownBadInputsRuleSet',
    onlyCounted: { JavaDeserializationRCE_BODY: BODY, Log4JRCE_BODY: BODY, ReactJSRCE_BODY: BODY },
  },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    onlyCounted: {
      SizeRestrictions_BODY: 'It is for bodies above 8 KB. Objects have up to 1.5 MiB.',
      SizeRestrictions_QUERYSTRING:
        'It is for queries above 2 KB. Selectors and the token that continues a list can be longer.',
      EC2MetaDataSSRF_BODY: BODY,
      GenericLFI_BODY: BODY,
      GenericRFI_BODY: BODY,
      CrossSiteScripting_BODY: BODY,
      RestrictedExtensions_URIPATH: EXTENSIONS,
      RestrictedExtensions_QUERYARGUMENTS: 'A field selector names an object in the same way.',
    },
  },
];
