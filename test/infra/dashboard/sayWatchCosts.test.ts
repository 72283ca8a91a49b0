import { expect, test } from 'vitest';
import { sayWatchCosts } from '../../../infra/dashboard/views/sayWatchCosts.ts';

test.each([
  [4, true, /^4 watches are open .* about \$0\.10 an hour/],
  [1, true, /^1 watch is open .* about \$0\.02 an hour/],
  [4, false, /^4 watches are open for all tabs of this page\. They end when no tab is seen\.$/],
])('%i watches, in the cloud: %s', (running, isCloud, said) => {
  expect(sayWatchCosts({ running, begun: running }, isCloud)).toMatch(said);
});
