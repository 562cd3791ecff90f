// One file for the browser: screens that are used together (src/console/routes.ts).
export { DomainsScreen } from "./senders/domains.tsx";
export { DomainScreen } from "./senders/domain.tsx";
export { PlacementScreen } from "./senders/placement.tsx";
export { PlacementTestScreen } from "./senders/placement-test.tsx";
