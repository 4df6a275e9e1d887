/** Words of the dashboard that are not Uppy's own. */
export const dashboardTexts = {
  strings: {
    dashboardTitle: 'Files',
    // No comma behind a button: a line could begin with it.
    dropPasteBoth: 'Drop or paste files here, %{browseFiles} or %{browseFolders}',
    dropPasteImportBoth: 'Drop or paste files here, %{browseFiles} or %{browseFolders} or import from:',
    removeFile: 'Remove %{file}',
  },
}
