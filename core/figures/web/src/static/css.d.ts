// A style sheet that a bundle has inside, as text (`build.js`).
declare module "*.css" {
  const text: string;
  export default text;
}
