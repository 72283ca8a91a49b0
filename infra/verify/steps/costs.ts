import { PRICES } from '../../emulation/bill/prices.ts';
import { IDLE_MONTH_DOLLARS } from '../../promises.ts';
import { cloudOf, unlessInCloud } from '../Place.ts';
import { type BudgetState, type DailyCost, deployedOfType } from '../StackAccount.ts';
import { differs, failed, ok, type Step, type Verdict } from '../Step.ts';

const DAY_MS = 86_400_000;
/** The last days whose costs AWS may not know whole. */
const UNSETTLED_DAYS = 1;
const DAYS = 14;
const DAYS_PER_MONTH = 365 / 12;

const ACTIVATE = 'activate the tag `aws:cloudformation:stack-name` in the billing, and look again a day later';

/** Whether the budget counts what the stack costs. */
export const budget: Step<BudgetState | undefined> = {
  id: 'budget',
  expects: 'The budget counts the costs of the stack, by the tag of its resources.',
  unavailable: (place) =>
    unlessInCloud(place, ({ stack }) => (budgetName(stack) === undefined ? '`monthlyBudget` is not set' : undefined)),
  async observe(place) {
    const { account, stack } = cloudOf(place);
    return account.observations.budget(budgetName(stack) ?? '');
  },
  judge: judgeBudget,
};

function budgetName(stack: Parameters<typeof deployedOfType>[0]): string | undefined {
  return deployedOfType(stack, 'AWS::Budgets::Budget')[0]?.physicalId;
}

export function judgeBudget(found: BudgetState | undefined): Verdict {
  if (!found) return failed('AWS Budgets knows no such budget.');
  const spent = `The budget of $${found.limitDollars} has counted $${found.spentDollars.toFixed(2)} in this month`;
  return found.spentDollars > 0 ? ok(`${spent}.`) : differs(`${spent}: ${ACTIVATE}.`);
}

/** What the stack has cost, by the tags of its resources. */
export const cost: Step<readonly DailyCost[]> = {
  id: 'cost',
  expects: `A day without requests costs at most $${(IDLE_MONTH_DOLLARS.listed / DAYS_PER_MONTH).toFixed(4)}, without alarms and dashboard: $${IDLE_MONTH_DOLLARS.listed} a month.`,
  optIn: { kind: 'costs', why: `Cost Explorer bills $${PRICES.costExplorerRequest} for the request` },
  unavailable: unlessInCloud,
  async observe(place) {
    const { account, stack } = cloudOf(place);
    const toMs = place.clock.now() - UNSETTLED_DAYS * DAY_MS;
    return account.observations.dailyCosts(stack.name, { fromMs: toMs - DAYS * DAY_MS, toMs });
  },
  judge: judgeCosts,
};

/** Of fourteen days the cheapest one is the nearest to an idle one. On the day on which the tag was activated, or the stack was deployed, it counts a part only. */
export function judgeCosts(days: readonly DailyCost[]): Verdict {
  const counted = days
    .map(({ day, dollarsByService }) => ({ day, dollars: sumOf(Object.values(dollarsByService)), dollarsByService }))
    .filter(({ dollars }) => dollars > 0);
  const [first, ...whole] = counted;
  if (!first) return differs(`Cost Explorer knows no costs with the stack's tag: ${ACTIVATE}.`);
  const cheapest = whole.reduce((least, one) => (one.dollars < least.dollars ? one : least), whole[0] ?? first);
  const month = cheapest.dollars * DAYS_PER_MONTH;
  const services = Object.entries(cheapest.dollarsByService)
    .filter(([, dollars]) => dollars > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([service, dollars]) => `${service} $${dollars.toFixed(4)}`);
  const found = `The cheapest of ${counted.length} days, ${cheapest.day}, cost $${cheapest.dollars.toFixed(4)} (${services.join(', ')}): a month of such days is $${month.toFixed(2)}`;
  if (month <= IDLE_MONTH_DOLLARS.listed) return ok(`${found}.`);
  return differs(
    `${found}, above the $${IDLE_MONTH_DOLLARS.listed} of an idle month: no day was idle, or alarms and dashboard are in it, or the models are wrong.`,
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
