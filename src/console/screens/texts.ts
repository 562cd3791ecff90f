// One file for the browser: screens that are used together (src/console/routes.ts).
export { TemplatesScreen } from "./templates/templates.tsx";
export { TemplateScreen } from "./templates/template.tsx";
export { SuppressionsScreen } from "./suppressions/suppressions.tsx";
