/** Texts of the dashboard that differ from Uppy's: for a mouse and a keyboard, or for a finger. */
export const dashboardTexts = (byTouch: boolean) => ({
  strings: {
    dashboardTitle: 'Files',
    removeFile: 'Remove %{file}',
    ...(byTouch
      ? {
          browseFiles: 'Choose a picture',
          dropPasteFiles: '%{browseFiles}',
          dropPasteImportFiles: '%{browseFiles} or take one from:',
        }
      : {
          // Without a comma after a button, because a line could start with it.
          dropPasteBoth: 'Drop or paste files here, %{browseFiles} or %{browseFolders}',
          dropPasteImportBoth: 'Drop or paste files here, %{browseFiles} or %{browseFolders} or import from:',
        }),
  },
})
