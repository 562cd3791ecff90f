// One file for the browser: screens that are used together (src/console/routes.ts).
export { PeopleScreen } from "./people/people.tsx";
export { DatasetScreen } from "./people/dataset.tsx";
export { ImportScreen } from "./people/import.tsx";
export { PersonScreen } from "./people/person.tsx";
