import { expectCloudSeedsToHold } from './expectCloudSeedsToHold.ts';

expectCloudSeedsToHold([5]);
