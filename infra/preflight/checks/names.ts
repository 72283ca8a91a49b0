import type { AccountReads, TemplateResources } from '../AccountReads.ts';
import { advice, type Check, ok, wrong } from '../Check.ts';
import { resourcesOfType } from '../Plan.ts';

interface ApiNameFacts {
  readonly apis: number;
  /** Whether one of them is the stack's own. */
  readonly isDeployed: boolean;
}

/** API Gateway allows two APIs of one name, but counts their requests and errors as one: the dimension `ApiName` of https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html */
export const apiName: Check<ApiNameFacts> = {
  name: 'API name',
  async observe(account, { plan }) {
    const apis = await account.restApisNamed(plan.stackName);
    return { apis, isDeployed: apis > 0 && (await account.stack(plan.stackName)) !== undefined };
  },
  decide: ({ apis, isDeployed }, { plan: { stackName } }) => {
    if (apis <= (isDeployed ? 1 : 0)) return ok(`No other REST API is called ${stackName}.`);
    return advice(
      `Set \`stackName\` to another name: a REST API ${stackName} exists, whose errors would set off the alarms of this one.`,
    );
  },
};

interface AlarmNameFacts {
  /** The names that the template wants and that are taken. */
  readonly taken: readonly string[];
  /** Those that the deployed stack has. */
  readonly own: readonly string[];
}

/**
 * All other names are made by CloudFormation, which adds some letters. Those of the groups of alarms come from the stack's name, and CloudFormation does not create an alarm whose name is taken.
 */
export const alarmNames: Check<AlarmNameFacts> = {
  name: 'alarm names',
  appliesTo: ({ resources }) => compositeAlarmNames(resources).length > 0,
  async observe(account, { plan }) {
    const taken = await account.compositeAlarmsNamed(compositeAlarmNames(plan.resources));
    return { taken, own: taken.length > 0 ? await ownNames(account, plan.stackName) : [] };
  },
  decide: ({ taken, own }, { plan }) => {
    const [foreign] = taken.filter((name) => !own.includes(name));
    if (foreign === undefined) return ok(`The names of ${compositeAlarmNames(plan.resources).length} groups are free.`);
    return wrong(
      `Set \`alarms: true\`: the account has an alarm ${foreign}, so the groups of \`alarms: 'all'\` cannot be created.`,
      {
        alarms: true,
      },
    );
  },
};

async function ownNames(account: AccountReads, stackName: string): Promise<readonly string[]> {
  return compositeAlarmNames(await account.deployedResources(stackName));
}

function compositeAlarmNames(resources: TemplateResources): readonly string[] {
  const names = resourcesOfType(resources, 'AWS::CloudWatch::CompositeAlarm').map(
    ({ Properties }) => Properties?.['AlarmName'],
  );
  return names.filter((name) => typeof name === 'string');
}
