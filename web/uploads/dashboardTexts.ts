/** Texts of the dashboard that differ from Uppy's. */
export const dashboardTexts = {
  strings: {
    dashboardTitle: 'Files',
    // Without a comma after a button, because a line could start with it.
    dropPasteBoth: 'Drop or paste files here, %{browseFiles} or %{browseFolders}',
    dropPasteImportBoth: 'Drop or paste files here, %{browseFiles} or %{browseFolders} or import from:',
    removeFile: 'Remove %{file}',
  },
}
